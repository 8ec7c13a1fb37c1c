/** The page of a disk. Its panel, "Disk details", opens over lists. */
import type { Disk, Instance } from '@steading/api/client'
import { diskIsTransitioning } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Camera, HardDrive } from 'lucide-react'
import { type ReactNode, Suspense } from 'react'
import { useInstanceDiskActions } from '../../compute/instances/view/disk-actions.tsx'
import { DiskSchedules } from '../../compute/schedules/covering-schedules.tsx'
import { ALL_ITEMS, apiQuery, refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useLiveState } from '../../data/live.ts'
import { FiringAlerts } from '../../observability/alert-rules/firing-alerts.tsx'
import { Glance, GlanceRow } from '../../page/glance.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { QueryError } from '../../page/query-error.tsx'
import { ResourceHeader } from '../../page/resource-header.tsx'
import { ActionButtons, ActionMenu } from '../../ui/action-buttons.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { DetailsFold } from '../../ui/details-fold.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { TextLink } from '../../ui/link.tsx'
import { copyAction, type MenuAction } from '../../ui/menu-action.ts'
import { formatNumber } from '../../ui/number.ts'
import { DocsPopover, RefreshButton } from '../../ui/page-header.tsx'
import { PhoneDisclosure } from '../../ui/phone-disclosure.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { EmptyCell, Size, Truncate } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import { HistoryTable } from '../../workspace/history/history-table.tsx'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { useWhoCan } from '../../workspace/who-can/ask-access.ts'
import { SnapshotStateBadge } from '../snapshots/snapshot-cells.tsx'
import { useSnapshotActions } from '../snapshots/snapshot-actions.ts'
import type { SnapshotRow } from '../snapshots/queries.ts'
import { DiskMoveBanner, useDiskStorage } from '../storage-pools/disk-storage.tsx'
import { usePoolChoices } from '../storage-pools/choices.ts'
import { useDiskActionParts } from './disk-actions.tsx'
import { DiskSourceCell } from './disk-source-cell.tsx'
import { DiskStateBadge, diskTypeLabel, ReadOnlyTag } from './disk-state.tsx'
import { diskQuery, projectSnapshotsQuery } from './queries.ts'

const DiskTraffic = lazyPart(() => import('./disk-traffic.tsx'))

/** Milliseconds between reads while the disk changes and no events arrive. */
const POLL_MS = 2000

export function DiskPage() {
  const { project, disk: name } = useParams({
    from: '/shell/projects-crumb/projects/$project/disks-crumb/disks/$disk/overview',
  })
  const { data: disk } = usePrefetchedQuery(diskQuery(project, name))
  const instanceId = 'instance' in disk.state ? disk.state.instance : undefined
  const instance = useQuery({
    ...apiQuery('instanceView', { path: { instance: instanceId ?? '' } }, { allow404: true }),
    enabled: instanceId !== undefined,
  })
  const attachedTo = instanceId === undefined ? undefined : instance.data
  const hasHistory = useCapability('auditLog')
  const hasPools = usePoolChoices(project).length > 0
  const storage = useDiskStorage(project, disk)
  return (
    <>
      <ResourceHeader
        title={disk.name}
        icon={<HardDrive strokeWidth={1.5} aria-hidden />}
        kind="disk"
        thing={disk}
        meta={
          <>
            <DiskStateBadge state={disk.state} />
            <span className="text-secondary">
              <Size bytes={disk.size} />
            </span>
            {disk.readOnly && <ReadOnlyTag />}
          </>
        }
      >
        <RefreshButton onRefresh={refetchShown} />
        <DocsPopover
          topic="disks"
          summary="Disks hold the data of instances. A disk is attached to one instance at a time and outlives it."
        />
        {attachedTo ? (
          <AttachedActions project={project} disk={disk} instance={attachedTo} />
        ) : (
          <Actions project={project} disk={disk} />
        )}
      </ResourceHeader>
      <PollDisk project={project} disk={disk} />
      <FiringAlerts about={{ disk: disk.id }} />
      <div className="px-(--gutter) pb-4 empty:hidden">
        <DiskMoveBanner project={project} disk={disk} />
      </div>
      <PhoneDisclosure label="Details">
        <div className="px-(--gutter) pb-4">
          <Glance>
            <GlanceRow label="Attached to">
              <AttachedTo
                project={project}
                name={attachedTo?.name}
                isPending={instanceId !== undefined && instance.isPending}
              />
            </GlanceRow>
            <GlanceRow label="Source">
              <DiskSourceCell disk={disk} />
            </GlanceRow>
            {hasPools && storage && <GlanceRow label="Storage pool">{storage.pool.name}</GlanceRow>}
          </Glance>
        </div>
        <DetailsFold>
          <Details disk={disk} />
        </DetailsFold>
      </PhoneDisclosure>
      <div className="flex flex-col gap-6 pt-2 pb-6">
        <Snapshots project={project} disk={disk} />
        <Suspense fallback={<div className="h-60" aria-busy />}>
          <DiskTraffic project={project} disk={disk} />
        </Suspense>
        {hasHistory && (
          <Card title="History">
            <HistoryTable kind="disk" id={disk.id} />
          </Card>
        )}
      </div>
    </>
  )
}

type DiskProps = { project: string; disk: Disk }

/** Polls the disk while it changes and no events arrive, and shows an error when that fails. */
function PollDisk({ project, disk }: DiskProps) {
  const live = useLiveState() === 'live'
  const { error, refetch } = useQuery({
    ...diskQuery(project, disk.name),
    refetchInterval: !live && diskIsTransitioning(disk.state.state) && POLL_MS,
  })
  return <QueryError error={error} onRetry={refetch} />
}

/** The buttons and the menu. `ofInstance` are the actions of an attached disk. */
function Actions({
  project,
  disk,
  ofInstance = [],
}: DiskProps & { ofInstance?: MenuAction[] }): ReactNode {
  const navigate = useNavigate()
  const { snapshot, changes, attach, remove } = useDiskActionParts(project, () =>
    navigate({ to: '/projects/$project/disks', params: { project } }),
  )(disk)
  const star = useStarAction('disk')
  const who = useWhoCan('disk', project)
  const detach = ofInstance.find(({ label }) => label === 'Detach')
  const [take, ...further] = snapshot
  return (
    <>
      <ActionButtons actions={[detach ?? attach, take!]} />
      <ActionMenu
        label="Disk actions"
        actions={[
          copyAction('Copy ID', disk.id),
          ...star(disk),
          ...who(disk),
          ...further,
          ...changes,
          ...ofInstance.filter(({ calls }) => calls === 'instanceUpdate'),
          ...remove,
        ]}
      />
    </>
  )
}

function AttachedActions({ instance, ...props }: DiskProps & { instance: Instance }) {
  const { ofBootDisk, ofOtherDisk } = useInstanceDiskActions(
    { project: props.project, instance: instance.name },
    instance,
  )
  const actions = instance.bootDiskId === props.disk.id ? ofBootDisk : ofOtherDisk
  return <Actions {...props} ofInstance={actions(props.disk)} />
}

type AttachedToProps = { project: string; name: string | undefined; isPending: boolean }

function AttachedTo({ project, name, isPending }: AttachedToProps) {
  if (!name) return isPending ? <SkeletonCell /> : <EmptyCell />
  return (
    <TextLink
      to="/projects/$project/instances/$instance/storage"
      params={{ project, instance: name }}
    >
      {name}
    </TextLink>
  )
}

function Details({ disk }: { disk: Disk }) {
  const { Row, IdRow, DescriptionRow, DateRow } = PropertiesTable
  return (
    <div className="px-(--gutter) pb-5">
      <PropertiesTable columns={2}>
        <IdRow id={disk.id} />
        <DateRow date={disk.timeCreated} label="Created" />
        <DescriptionRow description={disk.description} />
        <DateRow date={disk.timeModified} label="Last modified" />
        <Row label="Disk type">{diskTypeLabel[disk.diskType]}</Row>
        <Row label="Block size">{formatNumber(disk.blockSize)} bytes</Row>
        <DiskSchedules disk={disk.id} />
      </PropertiesTable>
    </div>
  )
}

const snapshotColumns: Column<SnapshotRow>[] = [
  { id: 'name', header: 'name', cell: ({ name }) => <Truncate text={name} /> },
  {
    id: 'state',
    header: 'state',
    width: 144,
    phone: 'first',
    cell: ({ state }) => <SnapshotStateBadge state={state} />,
  },
  {
    id: 'size',
    header: 'size',
    align: 'end',
    width: 96,
    phone: 'second',
    cell: ({ size }) => <Size bytes={size} />,
  },
  {
    id: 'created',
    header: 'created',
    width: 192,
    phone: 'second',
    cell: ({ timeCreated }) => <DateTime date={timeCreated} />,
  },
]

/** The snapshots of the disk, latest first. */
function Snapshots({ project, disk }: DiskProps) {
  const read = useQuery(projectSnapshotsQuery(project))
  const actions = useSnapshotActions(project)
  const rows = read.data?.items
    .filter(({ diskId }) => diskId === disk.id)
    .toSorted((a, b) => b.timeCreated.getTime() - a.timeCreated.getTime())
  return (
    <Card
      title="Snapshots"
      description={
        read.data?.items.length === ALL_ITEMS &&
        'The project has too many snapshots to show all; see the list of snapshots'
      }
    >
      <LoadedTable
        what="The snapshots"
        label="Snapshots"
        columns={snapshotColumns}
        read={{ rows, error: read.error, refetch: read.refetch }}
        actions={actions}
        empty={{
          icon: Camera,
          title: 'No snapshots',
          body: 'Take a snapshot of this disk to see it here',
        }}
      />
    </Card>
  )
}
