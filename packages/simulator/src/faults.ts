import type { Volumes } from '@steading/control-plane/ports'

/** Called before each action of an engine; if it throws, the action fails. */
export type Fault = (action: string, id: string) => void

/** Injects faults into engines. */
export interface Faults {
  check: Fault
  /** Injects a fault into further actions; without an argument, removes it. */
  inject: (fault?: Fault) => void
}

export function createFaults(): Faults {
  let injected: Fault | undefined
  return {
    check: (action, id) => injected?.(action, id),
    inject: (fault) => void (injected = fault),
  }
}

/** The actions on volumes that can fail, by the method of the port. */
const volumeActions = {
  create: 'createVolume',
  delete: 'deleteVolume',
  grow: 'growVolume',
  rollBack: 'rollBackVolume',
  createSnapshot: 'createSnapshot',
  deleteSnapshot: 'deleteSnapshot',
  attach: 'attachVolume',
  detach: 'detachVolume',
  write: 'writeVolume',
  read: 'readVolume',
} as const satisfies Partial<Record<keyof Volumes, string>>

/** Volumes whose actions fail when a fault is injected. */
export function withFaults(volumes: Volumes, { check }: Faults): Volumes {
  const checked = Object.entries(volumeActions).map(([method, action]) => {
    const act = volumes[method as keyof typeof volumeActions] as (
      id: string,
      ...rest: unknown[]
    ) => Promise<unknown>
    return [
      method,
      async (id: string, ...rest: unknown[]) => {
        check(action, id)
        return act(id, ...rest)
      },
    ]
  })
  return {
    ...volumes,
    ...(Object.fromEntries(checked) as Pick<Volumes, keyof typeof volumeActions>),
  }
}
