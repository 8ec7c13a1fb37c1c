/**
 * Single actions of a user, taken from the audit log. A file of its own, because every page of the
 * console loads the limits of the log.
 */

/**
 * Outcome of an action: its call was refused or failed, its effect is still under way or failed later,
 * or it is done.
 */
export const actionOutcomes = ['done', 'running', 'failed', 'refused'] as const
export type ActionOutcome = (typeof actionOutcomes)[number]

/** Operations whose answer comes before their effect, by the kind whose state shows the effect. */
export const settlingOperations: Record<'instance' | 'disk', readonly string[]> = {
  instance: ['instance_create', 'instance_start', 'instance_stop', 'instance_reboot'],
  disk: ['disk_create', 'disk_finalize_import', 'instance_disk_attach', 'instance_disk_detach'],
}

/**
 * Actions that can be taken again, because their calls need nothing but the resource: operation →
 * its path parameter. Bodies of calls are not recorded.
 */
export const repeatableActions: Readonly<Record<string, string>> = {
  instance_start: 'instance',
  instance_stop: 'instance',
  instance_reboot: 'instance',
  instance_delete: 'instance',
  disk_delete: 'disk',
  snapshot_delete: 'snapshot',
  image_delete: 'image',
  floating_ip_detach: 'floating_ip',
  floating_ip_delete: 'floating_ip',
  project_delete: 'project',
  vpc_delete: 'vpc',
  vpc_subnet_delete: 'subnet',
  vpc_router_delete: 'router',
  vpc_router_route_delete: 'route',
}

/**
 * Why an action cannot be taken again; undefined if it can. It is about the same resource, even if
 * another one has its name by now.
 */
export function cannotRepeat(action: {
  operation: string
  outcome: ActionOutcome
  target: string | null | undefined
}): string | undefined {
  if (!Object.hasOwn(repeatableActions, action.operation)) {
    return 'The input of this action is not kept'
  }
  if (!action.target) return 'The resource was not found'
  if (action.outcome === 'running') return 'The action is still under way'
  const deletes = action.operation.endsWith('_delete')
  return deletes && action.outcome === 'done' ? 'The resource is deleted' : undefined
}
