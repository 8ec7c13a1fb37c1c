import type { SledMaintenance, SledMaintenanceProgress } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { Wrench } from 'lucide-react'
import { useState } from 'react'
import { useNow } from '../../compute/instances/failure.ts'
import { useCancelMove } from '../../compute/moves/cancel-move.tsx'
import { MoveProgress } from '../../compute/moves/move-progress.tsx'
import { usePrefetchedQuery } from '../../data/api.ts'
import { useLivePolling } from '../../data/live.ts'
import { LoadError } from '../../page/load-error.tsx'
import { ActionButtons } from '../../ui/action-buttons.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Card, CardBody, CardEmpty } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { Table } from '../../ui/table.tsx'
import { Strong } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { sledQuery, useSledParam } from '../inventory/queries.ts'
import { PlacedInstance } from '../sleds/sled-instances-tab.tsx'
import { instanceWords, maintenanceWords, statusQuery } from './queries.ts'

const BeginMaintenance = lazyPart(() =>
  import('./maintenance-forms.tsx').then((module) => ({ default: module.BeginMaintenance })),
)
const EditMaintenance = lazyPart(() =>
  import('./maintenance-forms.tsx').then((module) => ({ default: module.EditMaintenance })),
)

/** Polling interval without live events. */
const POLL_MS = 5_000

type Sled = { id: string; serial: string }
type Instance = SledMaintenanceProgress['instances'][number]

const columns: Column<Instance>[] = [
  {
    id: 'name',
    header: 'instance',
    cell: PlacedInstance,
  },
  {
    id: 'state',
    header: 'state',
    width: 152,
    phone: 'first',
    cell: ({ state }) => {
      const { tone, word, changes } = instanceWords[state]
      return (
        <StateBadge tone={tone} transitional={changes}>
          {word}
        </StateBadge>
      )
    },
  },
  {
    id: 'to',
    header: 'to',
    width: 136,
    phone: 'second',
    labelled: true,
    cell: (one) => one.destination,
  },
  {
    id: 'reason',
    header: 'details',
    phone: 'second',
    cell: ({ name, reason, progress }) =>
      progress ? <MoveProgress of={progress} name={name} /> : reason,
  },
]

/** The numbers of a maintenance; a number that is nearly always zero is shown only if it is not. */
function Counts({ moved, moving, waiting, impossible, stopped }: SledMaintenanceProgress) {
  const total = moved + moving + waiting + impossible + stopped
  const counts = [
    { word: 'Moved', count: moved },
    { word: 'Moving', count: moving },
    { word: 'Waiting', count: waiting },
    { word: 'Cannot move', count: impossible },
    ...(stopped > 0 ? [{ word: 'Stopped', count: stopped }] : []),
  ]
  const done = moved + stopped
  return (
    <div className="flex flex-col gap-3">
      <dl className="flex flex-wrap gap-x-8 gap-y-3">
        {counts.map(({ word, count }) => (
          <div key={word} className="flex min-w-16 flex-col">
            <dt className="text-secondary">{word}</dt>
            <dd className="text-2xl font-semibold tabular-nums">{count}</dd>
          </div>
        ))}
      </dl>
      <div
        role="progressbar"
        aria-label="Instances that have left the sled"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={done}
        aria-valuetext={`${done} of ${total}`}
        className="h-2 w-full overflow-hidden rounded-full bg-skeleton"
      >
        <div
          className="h-full rounded-full bg-green"
          style={{ width: `${total === 0 ? 100 : (100 * done) / total}%` }}
        />
      </div>
    </div>
  )
}

function useMaintenanceActions(
  { id: sledId, serial }: Sled,
  { paused }: SledMaintenance,
  progress: SledMaintenanceProgress,
  edit: () => void,
): MenuAction[] {
  const args = { path: { sledId } }
  const said = (done: string) => {
    doneToast('Maintenance of sled', serial, done)
  }
  const pause = useApiAction('sledMaintenancePause', { onSuccess: () => said('paused') })
  const resume = useApiAction('sledMaintenanceResume', { onSuccess: () => said('resumed') })
  const end = useApiAction('sledMaintenanceEnd', { onSuccess: () => said('ended') })
  const isDone = progress.state === 'ready'
  const turn: MenuAction = paused
    ? {
        label: 'Resume',
        calls: 'sledMaintenanceResume',
        onAction: () =>
          confirmAction({
            title: 'Resume maintenance',
            body: (
              <>
                The instances on <Strong>{serial}</Strong> go on moving to other sleds.
              </>
            ),
            errorTitle: `Could not resume the maintenance of ${serial}`,
            ...resume(args),
          }),
      }
    : {
        label: 'Pause',
        calls: 'sledMaintenancePause',
        disabledReason: isDone && 'No instance is on the sled',
        onAction: () =>
          confirmAction({
            title: 'Pause maintenance',
            body: (
              <>
                Instances that move now finish it; no others begin to move or are stopped.{' '}
                <Strong>{serial}</Strong> still takes no new instances.
              </>
            ),
            errorTitle: `Could not pause the maintenance of ${serial}`,
            ...pause(args),
          }),
      }
  return [
    turn,
    { label: 'Edit', calls: 'sledMaintenanceUpdate', onAction: edit },
    {
      label: isDone ? 'End maintenance' : 'Abort',
      calls: 'sledMaintenanceEnd',
      danger: !isDone,
      onAction: () =>
        confirmAction({
          title: isDone ? 'End maintenance' : 'Abort maintenance',
          danger: !isDone,
          body: (
            <>
              <Strong>{serial}</Strong> takes instances as it did before.{' '}
              {isDone
                ? 'Instances that have moved away stay where they are.'
                : 'Instances that have moved away stay where they are, and moves in progress go on; the others stay here.'}
            </>
          ),
          errorTitle: `Could not end the maintenance of ${serial}`,
          ...end(args),
        }),
    },
  ]
}

function Properties({ maintenance }: { maintenance: SledMaintenance }) {
  const { reason, timeEnd, unmovable, timeBegun, userName } = maintenance
  return (
    <PropertiesTable columns={2}>
      <PropertiesTable.Row label="Reason">
        <span className="wrap-anywhere">{reason}</span>
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Begun">
        <span>
          <DateTime date={timeBegun} /> by {userName}
        </span>
      </PropertiesTable.Row>
      <PropertiesTable.Row label="Expected end">
        {timeEnd ? <DateTime date={timeEnd} /> : 'Not known'}
      </PropertiesTable.Row>
      <PropertiesTable.Row label="If stuck">
        {unmovable === 'stop' ? 'Instances are stopped' : 'Instances are left on the sled'}
      </PropertiesTable.Row>
    </PropertiesTable>
  )
}

type ProgressProps = {
  sled: Sled
  maintenance: SledMaintenance
  progress: SledMaintenanceProgress
}

function Progress({ sled, maintenance, progress }: ProgressProps) {
  const [editing, setEditing] = useState(false)
  const actions = useMaintenanceActions(sled, maintenance, progress, () => setEditing(true))
  const now = useNow(maintenance.timeEnd !== null)
  const cancel = useCancelMove()
  const isOverdue = maintenance.timeEnd !== null && maintenance.timeEnd < now
  const words = maintenanceWords[progress.state]
  return (
    <>
      {isOverdue && (
        <div className="px-(--gutter)">
          <Banner variant="notice" title="The maintenance lasts longer than expected">
            End it, or set a later end.
          </Banner>
        </div>
      )}
      <Card
        title="Maintenance"
        description="The sled takes no new instances, and those on it move to other sleds."
        actions={
          <>
            <StateBadge tone={words.tone} transitional={words.changes}>
              {words.word}
            </StateBadge>
            <ActionButtons actions={actions} />
          </>
        }
      >
        <CardBody>
          <Counts {...progress} />
          <Properties maintenance={maintenance} />
        </CardBody>
      </Card>
      {progress.instances.length > 0 && (
        <Card title="Instances on the sled">
          <Table
            label="Instances on the sled"
            columns={columns}
            rows={progress.instances}
            actions={({ id, name, state }) =>
              state === 'moving' ? cancel({ id, name, sledId: sled.id }) : []
            }
          />
        </Card>
      )}
      {editing && (
        <DialogPart onDismiss={() => setEditing(false)}>
          <EditMaintenance sled={sled} opened={maintenance} onDismiss={() => setEditing(false)} />
        </DialogPart>
      )}
    </>
  )
}

function NotRunning({ sled, expunged }: { sled: Sled; expunged: boolean }) {
  const [beginning, setBeginning] = useState(false)
  const close = () => setBeginning(false)
  const begin: MenuAction = {
    label: 'Begin maintenance',
    calls: 'sledMaintenanceBegin',
    disabledReason: expunged && 'The sled is expunged',
    icon: <Wrench size={16} strokeWidth={1.5} aria-hidden />,
    onAction: () => setBeginning(true),
  }
  return (
    <>
      <Card title="Maintenance" actions={<ActionButtons actions={[begin]} />}>
        <CardEmpty
          title="The sled is not in maintenance"
          body="Maintenance moves its running instances to other sleds, a few at a time, and keeps new ones away until it ends."
        />
      </Card>
      {beginning && (
        <DialogPart onDismiss={close}>
          <BeginMaintenance sled={sled} onDismiss={close} />
        </DialogPart>
      )}
    </>
  )
}

/** The maintenance of a sled: its progress, or the form that begins it. */
export function SledMaintenanceTab() {
  const sledId = useSledParam()
  const { baseboard, policy } = usePrefetchedQuery(sledQuery(sledId)).data
  const { data, error, refetch } = useQuery({
    ...statusQuery(sledId),
    refetchInterval: useLivePolling(POLL_MS),
  })
  const sled = { id: sledId, serial: baseboard.serial }
  return (
    <div
      role="tabpanel"
      aria-labelledby="sled-tab-maintenance"
      className="flex flex-col gap-6 py-6"
    >
      {!data && error && <LoadError what="The maintenance" error={error} onRetry={refetch} />}
      {data?.maintenance && data.progress && (
        <Progress sled={sled} maintenance={data.maintenance} progress={data.progress} />
      )}
      {data && !data.maintenance && (
        <NotRunning sled={sled} expunged={policy.kind === 'expunged'} />
      )}
    </div>
  )
}
