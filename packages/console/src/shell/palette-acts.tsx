import type { FoundResource } from '@steading/api/client'
import type { ListedKind } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useEffect, useRef } from 'react'
import { useGroupActions } from '../compute/affinity/group-actions.tsx'
import { useInstanceActions } from '../compute/instances/instance-actions.tsx'
import { useScheduleActions } from '../compute/schedules/schedule-actions.tsx'
import { apiQuery } from '../data/api.ts'
import { isMissing } from '../data/errors.ts'
import { useExternalSubnetActions } from '../networking/external-subnets/external-subnet-actions.tsx'
import { useFloatingIpActions } from '../networking/floating-ips/floating-ip-actions.tsx'
import { useRouterActions } from '../networking/routers/router-actions.tsx'
import { useSubnetActions } from '../networking/subnets/subnet-actions.tsx'
import { useVpcActions } from '../networking/vpcs/vpc-actions.tsx'
import { useRuleActions } from '../observability/alert-rules/rule-actions.tsx'
import { useDiskActions } from '../storage/disks/disk-actions.tsx'
import { useInstanceRollBack } from '../storage/disks/disk-changes.tsx'
import { useSnapshotActions } from '../storage/snapshots/snapshot-actions.ts'
import { useProjectActions } from '../tenancy/projects/project-actions.ts'
import { useSiloActions } from '../tenancy/silos/silo-actions.tsx'
import { lazyPart } from '../ui/lazy-part.ts'
import type { MenuAction } from '../ui/menu-action.ts'
import { openDialog } from '../ui/opened-dialog.tsx'
import { useRestorableHours } from '../workspace/deleted-resources/restorable.tsx'
import { hoursText } from '../workspace/deleted-resources/queries.ts'

const ResizeModal = lazyPart(() => import('../compute/instances/resize-modal.tsx'))
const MoveToInstanceModal = lazyPart(
  () => import('../networking/floating-ips/move-to-instance.tsx'),
)
const attachments = () => import('../networking/external-addresses/attach-to-instance.tsx')
const AttachFloatingIp = lazyPart(async () => ({ default: (await attachments()).AttachFloatingIp }))
const AttachExternalSubnet = lazyPart(async () => ({
  default: (await attachments()).AttachExternalSubnet,
}))

type ActsProps = {
  thing: FoundResource
  /** Called with the actions, and whenever what is shown of them changes. */
  onActions: (id: string, actions: MenuAction[]) => void
}

/** A component that asks for the actions of a kind, which are hooks, and renders nothing. */
const acts = <Row,>(
  read: (thing: FoundResource) => { queryKey: readonly unknown[]; queryFn: () => Promise<Row> },
  useActions: (thing: FoundResource) => (row: Row) => MenuAction[],
): ComponentType<ActsProps> =>
  function Acts({ thing, onActions }) {
    const { data: row, error } = useQuery({ ...read(thing), throwOnError: false })
    const actionsOf = useActions(thing)
    const hours = useRestorableHours(thing.kind)
    // Others may have deleted it while the palette is open.
    const actions = row === undefined || isMissing(error) ? [] : actionsOf(row)
    // A chosen action runs when the palette is gone, with what was known last.
    const latest = useRef(actions)
    useEffect(() => void (latest.current = actions))
    const shown = JSON.stringify(
      actions.map(({ label, disabledReason, href, consequence }) => [
        label,
        disabledReason,
        href,
        consequence,
      ]),
    )
    const isRead = row !== undefined || error !== null
    useEffect(() => {
      if (!isRead) return
      const offered = latest.current.map((action): MenuAction => {
        const run = () => latest.current.find(({ label }) => label === action.label)?.onAction?.()
        return {
          ...action,
          onAction: action.onAction && run,
          consequence: action.label === 'Delete' ? lossText(hours) : action.consequence,
        }
      })
      onActions(thing.id, offered)
    }, [isRead, shown, hours, thing.id, onActions])
    return null
  }

const lossText = (hours: number) =>
  hours === 0 ? 'It is deleted for good.' : `It can be restored for ${hoursText(hours)}.`

const project = ({ projectName }: FoundResource) => projectName ?? ''
const vpcParams = (thing: FoundResource) => ({
  project: project(thing),
  vpc: thing.inside.find(({ kind }) => kind === 'vpc')?.name ?? '',
})

/** Kinds whose resources the palette can act on. */
const actsOfKinds: Partial<Record<ListedKind, ComponentType<ActsProps>>> = {
  instance: acts(
    ({ id }) => apiQuery('instanceView', { path: { instance: id } }),
    (thing) => {
      const actionsOf = useInstanceActions({
        project: project(thing),
        onResize: (instance) =>
          openDialog((onDismiss) => (
            <ResizeModal
              project={project(thing)}
              instance={instance}
              onDismiss={onDismiss}
              linkToInstance
            />
          )),
      })
      const rollBack = useInstanceRollBack(project(thing))
      return (instance) => [...Object.values(actionsOf(instance)).flat(), ...rollBack(instance)]
    },
  ),
  disk: acts(
    ({ id }) => apiQuery('diskView', { path: { disk: id } }),
    (thing) => useDiskActions(project(thing)),
  ),
  snapshot: acts(
    ({ id }) => apiQuery('snapshotView', { path: { snapshot: id } }),
    (thing) => useSnapshotActions(project(thing)),
  ),
  floating_ip: acts(
    ({ id }) => apiQuery('floatingIpView', { path: { floatingIp: id } }),
    (thing) =>
      useFloatingIpActions(
        project(thing),
        (floatingIp) =>
          openDialog((onDismiss) => (
            <AttachFloatingIp
              project={project(thing)}
              floatingIp={floatingIp}
              onDismiss={onDismiss}
            />
          )),
        (floatingIp) =>
          openDialog((onDismiss) => (
            <MoveToInstanceModal
              project={project(thing)}
              floatingIp={floatingIp}
              instanceId={floatingIp.instanceId!}
              onDismiss={onDismiss}
            />
          )),
      ),
  ),
  external_subnet: acts(
    ({ id }) => apiQuery('externalSubnetView', { path: { externalSubnet: id } }),
    (thing) =>
      useExternalSubnetActions(project(thing), (externalSubnet) =>
        openDialog((onDismiss) => (
          <AttachExternalSubnet
            project={project(thing)}
            externalSubnet={externalSubnet}
            onDismiss={onDismiss}
          />
        )),
      ),
  ),
  vpc: acts(
    ({ id }) => apiQuery('vpcView', { path: { vpc: id } }),
    (thing) => useVpcActions(project(thing)),
  ),
  vpc_subnet: acts(
    ({ id }) => apiQuery('vpcSubnetView', { path: { subnet: id } }),
    (thing) => useSubnetActions(vpcParams(thing)),
  ),
  vpc_router: acts(
    ({ id }) => apiQuery('vpcRouterView', { path: { router: id } }),
    (thing) => useRouterActions(vpcParams(thing)),
  ),
  anti_affinity_group: acts(
    ({ id }) => apiQuery('antiAffinityGroupView', { path: { antiAffinityGroup: id } }),
    (thing) => {
      const actionsOf = useGroupActions(project(thing))
      return (group) => actionsOf('anti_affinity_group', group)
    },
  ),
  schedule: acts(
    ({ id }) => apiQuery('scheduleView', { path: { schedule: id } }),
    (thing) => {
      const actionsOf = useScheduleActions(project(thing))
      return (schedule) => Object.values(actionsOf(schedule))
    },
  ),
  alert_rule: acts(
    ({ id }) => apiQuery('alertRuleView', { path: { alertRule: id } }),
    (thing) => useRuleActions(project(thing)),
  ),
  project: acts(
    ({ id }) => apiQuery('projectView', { path: { project: id } }),
    () => useProjectActions(),
  ),
  silo: acts(
    ({ id }) => apiQuery('siloView', { path: { silo: id } }),
    () => useSiloActions(),
  ),
}

/** A kind whose resources have no actions here. */
function NoActs({ thing, onActions }: ActsProps) {
  useEffect(() => onActions(thing.id, []), [thing.id, onActions])
  return null
}

type Props = { things: FoundResource[] } & Pick<ActsProps, 'onActions'>

/** Reads the actions of resources, for the palette; renders nothing. */
export default function FoundActs({ things, onActions }: Props) {
  return things.map((thing) => {
    const Acts = actsOfKinds[thing.kind] ?? NoActs
    return <Acts key={thing.id} thing={thing} onActions={onActions} />
  })
}
