import { ResourceHeader } from '../../page/resource-header.tsx'
import type { Schedule, ScheduleRun, ScheduleRunItem, ScheduleTarget } from '@steading/api/client'
import { kindLabels, SCHEDULE_LATE_MS, SCHEDULE_RUNS_KEPT, tagSearch } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Clock, Play, Target } from 'lucide-react'
import { useState } from 'react'
import { apiQuery, refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { ActionButtons, ActionMenu } from '../../ui/action-buttons.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Card } from '../../ui/card.tsx'
import { CellButton } from '../../ui/cells.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLink, TextLink } from '../../ui/link.tsx'
import { copyAction } from '../../ui/menu-action.ts'
import { DocsPopover, RefreshButton } from '../../ui/page-header.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { ReadOnlySideModal } from '../../ui/side-modal.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { TagChip } from '../../workspace/tags/tag-chip.tsx'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { useWhoCan } from '../../workspace/who-can/ask-access.ts'
import { valuesOf, ruleRecurrence } from './form-values.ts'
import { NextRuns } from './next-runs.tsx'
import { scheduleQuery, targetsQuery } from './queries.ts'
import { useScheduleActions } from './schedule-actions.tsx'
import { LastRun, RunStateBadge, ScheduleStateBadge } from './schedule-state.tsx'
import { actionWords, recurrenceWords, retentionWords, scheduleDocs } from './labels.ts'

/** The latest runs of a schedule; all that are kept. */
const runsQuery = (project: string, schedule: string) =>
  apiQuery('scheduleRunList', {
    path: { schedule },
    query: { project, limit: SCHEDULE_RUNS_KEPT, sortBy: 'time_and_id_descending' },
  })

const useScheduleParams = () =>
  useParams({ strict: false }) as { project: string; schedule: string }

function ScheduleHeader({ schedule }: { schedule: Schedule }) {
  const { project } = useScheduleParams()
  const navigate = useNavigate()
  const star = useStarAction('schedule')
  const history = useHistoryAction('schedule')
  const who = useWhoCan('schedule', project)
  const actionsOf = useScheduleActions(project, () =>
    navigate({ to: '/projects/$project/schedules', params: { project } }),
  )
  const { run, turn, edit, remove } = actionsOf(schedule)
  return (
    <ResourceHeader
      title={schedule.name}
      icon={<Clock strokeWidth={1.5} aria-hidden />}
      kind="schedule"
      thing={schedule}
    >
      <DocsPopover {...scheduleDocs} />
      <RefreshButton onRefresh={refetchShown} />
      <ActionButtons
        actions={[{ ...run, icon: <Play size={16} strokeWidth={1.5} aria-hidden /> }]}
      />
      <ActionMenu
        label="Schedule actions"
        actions={[
          copyAction('Copy ID', schedule.id),
          ...star(schedule),
          ...history(schedule),
          ...who(schedule),
          edit,
          turn,
          remove,
        ]}
      />
    </ResourceHeader>
  )
}

type TargetRow = ScheduleTarget

const targetColumns = (project: string): Column<TargetRow>[] => [
  {
    id: 'name',
    header: 'name',
    cell: ({ kind, name }) =>
      kind === 'tag' ? (
        <TagChip tag={name}>
          <TextLink
            to="/projects/$project/instances"
            params={{ project }}
            search={{ q: tagSearch(name) }}
          >
            {name}
          </TextLink>
        </TagChip>
      ) : kind === 'instance' ? (
        <CellLink
          to="/projects/$project/instances/$instance/storage"
          params={{ project, instance: name }}
        >
          {name}
        </CellLink>
      ) : (
        <CellLink to="/projects/$project/disks/$disk" params={{ project, disk: name }}>
          {name}
        </CellLink>
      ),
  },
  {
    id: 'kind',
    header: 'kind',
    width: 136,
    phone: 'second',
    cell: ({ kind }) => (kind === 'tag' ? 'tag' : kindLabels(kind)),
  },
]

const runColumns = (open: (run: ScheduleRun) => void): Column<ScheduleRun>[] => [
  {
    id: 'number',
    header: 'run',
    width: 96,
    cell: (run) => <CellButton onClick={() => open(run)}>{`Run ${run.number}`}</CellButton>,
  },
  {
    id: 'state',
    header: 'result',
    width: 128,
    phone: 'first',
    cell: ({ state }) => <RunStateBadge state={state} />,
  },
  {
    id: 'began',
    header: 'began',
    width: 184,
    phone: 'second',
    cell: ({ timeStarted }) => <DateTime date={timeStarted} />,
  },
  {
    id: 'due',
    header: 'due',
    width: 184,
    phone: 'second',
    labelled: true,
    cell: ({ cause, timeDue, timeStarted }) => {
      if (cause === 'requested') return 'on request'
      const isLate = timeStarted.getTime() - timeDue.getTime() > SCHEDULE_LATE_MS
      return isLate ? <DateTime date={timeDue} /> : 'in time'
    },
  },
  {
    id: 'items',
    header: 'items',
    width: 136,
    cell: ({ succeeded, failed, state }) =>
      state === 'running' ? <EmptyCell /> : `${succeeded} of ${succeeded + failed}`,
  },
  { id: 'reason', header: 'reason', phone: 'second', cell: ({ reason }) => reason },
]

const itemWords = {
  snapshot: 'Snapshot of',
  delete: 'Removal of',
  start: 'Start of',
  stop: 'Stop of',
}

const wordsOf = ({ step, name, instanceName }: ScheduleRunItem) =>
  `${itemWords[step as keyof typeof itemWords]} ${name}${instanceName ? ` of ${instanceName}` : ''}`

type ItemRow = ScheduleRunItem

const itemColumns: Column<ItemRow>[] = [
  {
    id: 'item',
    header: 'item',
    cell: (item) => (
      <span className="block py-1.5 whitespace-normal wrap-anywhere">
        {wordsOf(item)}
        {item.reason && <span className="block text-xs text-red-text">{item.reason}</span>}
        {item.madeName && <span className="block text-xs text-tertiary">{item.madeName}</span>}
      </span>
    ),
  },
  {
    id: 'state',
    header: 'result',
    width: 140,
    cell: ({ state }) => <RunStateBadge state={state} />,
  },
]

/** The results of a run, one for each item. */
function RunPanel({ id, onDismiss }: { id: string; onDismiss: () => void }) {
  const { project, schedule } = useScheduleParams()
  const { data, error, refetch } = useQuery(
    apiQuery('scheduleRunView', { path: { schedule, run: id }, query: { project } }),
  )
  const { Row } = PropertiesTable
  return (
    <ReadOnlySideModal
      title={data ? `Run ${data.number}` : 'Run'}
      subtitle={schedule}
      onDismiss={onDismiss}
    >
      {data && (
        <PropertiesTable>
          <Row label="Result">
            <RunStateBadge state={data.state} />
          </Row>
          {data.reason !== null && <Row label="Reason">{data.reason}</Row>}
          <Row label={data.cause === 'due' ? 'Due' : 'Requested'}>
            <DateTime date={data.timeDue} />
          </Row>
          <Row label="Began">
            <DateTime date={data.timeStarted} />
          </Row>
          <Row label="Ended">
            {data.timeFinished ? <DateTime date={data.timeFinished} /> : <EmptyCell />}
          </Row>
          <Row label="Rights of">{data.userName || <EmptyCell />}</Row>
        </PropertiesTable>
      )}
      <div className="-mx-(--gutter) mt-4">
        <LoadedTable
          what="The results"
          label="Results"
          columns={itemColumns}
          read={{
            rows: data?.items,
            error,
            refetch,
          }}
          rowKey={({ step, kind, id }) => `${step} ${kind} ${id}`}
          empty={{ icon: Target, title: 'No items', body: 'The run ended before its first item' }}
        />
      </div>
    </ReadOnlySideModal>
  )
}

function Properties({ schedule }: { schedule: Schedule }) {
  const { Row, IdRow, DescriptionRow, DateRow } = PropertiesTable
  const { recurrence, action } = schedule
  return (
    <PropertiesTable columns={2}>
      <Row label="State">
        <ScheduleStateBadge {...schedule} />
      </Row>
      <Row label="Last result">
        <LastRun {...schedule} />
      </Row>
      <Row label="Action">{actionWords(schedule)}</Row>
      <Row label="Acts as">{schedule.userName ?? <EmptyCell />}</Row>
      <Row label="Recurrence">
        {recurrence.type === 'once' ? (
          <DateTime date={recurrence.timeDue} />
        ) : (
          recurrenceWords(recurrence)
        )}
      </Row>
      <Row label="Retention">
        {action === 'snapshot' ? retentionWords(schedule.retention) : <EmptyCell />}
      </Row>
      <DescriptionRow description={schedule.description} />
      <IdRow id={schedule.id} />
      <DateRow label="Created" date={schedule.timeCreated} />
      <DateRow label="Last modified" date={schedule.timeModified} />
    </PropertiesTable>
  )
}

const pausedWords = {
  active: 'It has no further run',
  paused: 'It is paused and runs only on request',
  ended: 'Its only run has begun',
} as const

export function SchedulePage() {
  const { project, schedule: name } = useScheduleParams()
  const { data: schedule } = usePrefetchedQuery(scheduleQuery(project, name))
  const targets = useQuery(targetsQuery(project, name))
  const runs = useQuery(runsQuery(project, name))
  const [open, setOpen] = useState<string>()
  const recurrence = ruleRecurrence(valuesOf(schedule, []))
  const { state, lastRun } = schedule
  return (
    <>
      <ScheduleHeader schedule={schedule} />
      <div className="flex flex-col gap-4 px-(--gutter) pb-6">
        {lastRun?.state === 'failed' && (
          <Banner variant="error" title={`Run ${lastRun.number} has failed`}>
            {lastRun.reason}
          </Banner>
        )}
        <div className="grid items-start gap-4 xl:grid-cols-[minmax(0,1fr)_20rem]">
          <Properties schedule={schedule} />
          <NextRuns
            recurrence={state === 'active' ? recurrence : undefined}
            timeZone={recurrence.type === 'cron' ? recurrence.time_zone : undefined}
            empty={pausedWords[state]}
          />
        </div>
      </div>
      <div className="flex flex-col gap-6 pb-6">
        <Card
          title="Runs"
          description={`The latest ${SCHEDULE_RUNS_KEPT} runs are kept, each with the result of every target`}
        >
          <LoadedTable
            what="The runs"
            label="Runs"
            columns={runColumns(({ id }) => setOpen(id))}
            read={{ rows: runs.data?.items, error: runs.error, refetch: runs.refetch }}
            empty={{ icon: Clock, title: 'No runs', body: 'The schedule has not run yet' }}
          />
        </Card>
        <Card title="Targets">
          <LoadedTable
            what="The targets"
            label="Targets"
            columns={targetColumns(project)}
            rowKey={({ kind, name: target }) => `${kind} ${target}`}
            read={{ rows: targets.data?.items, error: targets.error, refetch: targets.refetch }}
            empty={{
              icon: Target,
              title: 'No targets',
              body: 'All targets were deleted, so the runs of this schedule fail',
            }}
          />
        </Card>
      </div>
      {open && <RunPanel id={open} onDismiss={() => setOpen(undefined)} />}
    </>
  )
}
