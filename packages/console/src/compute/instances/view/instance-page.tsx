import { ResourceHeader } from '../../../page/resource-header.tsx'
import type { Instance } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Play, Cpu, Square, SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { refetchShown } from '../../../data/api.ts'
import { useLiveState } from '../../../data/live.ts'
import { BriefingPart } from '../../../observability/briefings/briefing-part.tsx'
import { FiringAlerts } from '../../../observability/alert-rules/firing-alerts.tsx'
import { SimulatedBadge } from '../../../page/engine.tsx'
import { PageTabs, type TabsDefinition } from '../../../page/page-tabs.tsx'
import { QueryError } from '../../../page/query-error.tsx'
import { ActionButtons, ActionMenu } from '../../../ui/action-buttons.tsx'
import { LinkButton } from '../../../ui/button.tsx'
import { DetailsFold } from '../../../ui/details-fold.tsx'
import { DialogPart } from '../../../ui/dialog.tsx'
import { DocsPopover, RefreshButton } from '../../../ui/page-header.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { copyAction } from '../../../ui/menu-action.ts'
import { PhoneDisclosure } from '../../../ui/phone-disclosure.tsx'
import { Size } from '../../../ui/text.tsx'
import { TimeAgo } from '../../../ui/time.tsx'
import { useStarAction } from '../../../workspace/stars/stars.tsx'
import { useWhoCan } from '../../../workspace/who-can/ask-access.ts'
import { MoveNotice, RunningMove } from '../../moves/instance-sled.tsx'
import { useMove } from '../../moves/move-action.tsx'
import { useInstanceSled } from '../../moves/queries.ts'
import { reachableIps, IpLink } from '../external-ips.tsx'
import { CloneNotice } from '../../instance-clones/clone-notice.tsx'
import { FailureNotice } from '../failure-notice.tsx'
import { useInstanceRollBack } from '../../../storage/disks/disk-changes.tsx'
import { useInstanceActions } from '../instance-actions.tsx'
import { InstanceStateBadge, VCpus } from '../instance-cells.tsx'
import { instanceInterval } from '../polling.ts'
import {
  instanceExternalIpsQuery,
  useInstanceParams,
  instanceQuery,
  useInstance,
} from '../queries.ts'
import { AutoRestartPopover } from './auto-restart-popover.tsx'
import { InstanceHead } from './instance-head.tsx'
import { InstanceProperties } from './instance-properties.tsx'

export const instanceTabs = {
  id: 'instance',
  label: 'Instance',
  contents: 'cards',
  tabs: [
    { label: 'Storage', to: '/projects/$project/instances/$instance/storage' },
    { label: 'Networking', to: '/projects/$project/instances/$instance/networking' },
    { label: 'Metrics', to: '/projects/$project/instances/$instance/metrics' },
    { label: 'Connect', to: '/projects/$project/instances/$instance/connect' },
    { label: 'Settings', to: '/projects/$project/instances/$instance/settings' },
    {
      label: 'History',
      to: '/projects/$project/instances/$instance/history',
      needs: 'auditLog',
    },
  ],
} as const satisfies TabsDefinition

/** State and size beside the name; on phones, where the head is collapsed, the address as well. */
export function InstanceSummary({ instance }: { instance: Instance }) {
  const ips = useQuery(instanceExternalIpsQuery(useInstanceParams())).data?.items ?? []
  const [ip] = reachableIps(ips)
  const { runState, timeRunStateUpdated } = instance
  return (
    <>
      <InstanceStateBadge state={runState} />
      {runState === 'failed' && <AutoRestartPopover instance={instance} />}
      <span className="text-tertiary max-sm:hidden">
        <TimeAgo date={timeRunStateUpdated} caption="Run state updated" />
      </span>
      <SimulatedBadge />
      {ip && (
        <span className="sm:hidden">
          <IpLink ip={ip.ip} />
        </span>
      )}
      <span className="text-secondary">
        <VCpus count={instance.ncpus} />
        <span className="mx-0.5 text-tertiary"> · </span>
        <Size bytes={instance.memory} />
      </span>
    </>
  )
}

const ResizeModal = lazyPart(() => import('../resize-modal.tsx'))

const icon = { size: 14, strokeWidth: 1.5, 'aria-hidden': true } as const

export function InstancePage() {
  const params = useInstanceParams()
  const { project } = params
  const instance = useInstance(params)
  const navigate = useNavigate()
  const [resizing, setResizing] = useState(false)
  const actions = useInstanceActions({
    project,
    onResize: () => setResizing(true),
    onDeleted: () => navigate({ to: '/projects/$project/instances', params: { project } }),
  })(instance)
  const { start, stop, reboot, resize, serialConsole } = actions
  const sled = useInstanceSled(instance)
  const on = sled.read.data
  const rollBack = useInstanceRollBack(project)
  const { actionOf, dialog } = useMove()
  const star = useStarAction('instance')
  const who = useWhoCan('instance', project)
  return (
    <>
      <ResourceHeader
        title={instance.name}
        icon={<Cpu strokeWidth={1.5} aria-hidden />}
        kind="instance"
        thing={instance}
        meta={<InstanceSummary instance={instance} />}
      >
        <RefreshButton onRefresh={refetchShown} />
        <DocsPopover
          topic="instances"
          summary="An instance is a virtual machine: CPUs, memory, disks and network interfaces. It keeps its disks and addresses while it is stopped."
        />
        <ActionButtons
          actions={[
            { ...start, icon: <Play {...icon} /> },
            { ...stop, icon: <Square {...icon} /> },
          ]}
        />
        <LinkButton
          to="/projects/$project/instances/$instance/serial-console"
          params={params}
          aria-label="Console"
        >
          <SquareTerminal {...icon} />
          <span className="max-sm:hidden">Console</span>
        </LinkButton>
        <ActionMenu
          label="Instance actions"
          actions={[
            copyAction('Copy ID', instance.id),
            ...star(instance),
            ...who(instance),
            reboot,
            resize,
            ...actions.copy,
            ...rollBack(instance),
            ...actionOf({ ...instance, state: instance.runState, sledId: on?.sled?.id }),
            serialConsole,
            ...actions.testReachability,
            actions.delete,
          ]}
        />
      </ResourceHeader>
      <BriefingPart of={params} />
      <PollInstance />
      <FailureNotice project={project} instance={instance} />
      <CloneNotice />
      {on && <RunningMove {...on} />}
      {on && <MoveNotice {...on} />}
      <FiringAlerts about={{ instance: instance.id }} />
      <PhoneDisclosure label="Details">
        <InstanceHead params={params} instance={instance} />
        <DetailsFold>
          <InstanceProperties instance={instance} sled={sled} />
        </DetailsFold>
      </PhoneDisclosure>
      <PageTabs of={instanceTabs} params={params} group={`Instance '${instance.name}'`} />
      {dialog}
      {resizing && (
        <DialogPart onDismiss={() => setResizing(false)}>
          <ResizeModal project={project} instance={instance} onDismiss={() => setResizing(false)} />
        </DialogPart>
      )}
    </>
  )
}

/** Polls the instance without live events, and shows an error when polling fails. */
function PollInstance() {
  const live = useLiveState() === 'live'
  const { error, refetch } = useQuery({
    ...instanceQuery(useInstanceParams()),
    refetchInterval: ({ state }) => !live && instanceInterval(state.data),
  })
  return <QueryError error={error} onRetry={refetch} />
}
