import { type Action, camel, type OwnAction } from '@steading/api/client'
import { type ActionOutcome, cannotRepeat, repeatableActions } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { ListTodo } from 'lucide-react'
import { useState } from 'react'
import { ALL_ITEMS, apiQuery, call, invalidate, PAGE_SIZE } from '../../data/api.ts'
import { useLivePolling } from '../../data/live.ts'
import { PagedTable } from '../../page/loaded-table.tsx'
import { usePages } from '../../page/use-pages.ts'
import type { Column } from '../../ui/column.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import { ChoiceSelect } from '../../ui/list-controls/choice-select.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { Truncate } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { nameOfUser, sentenceOf, targetText } from '../history/entries.tsx'
import { asCode } from '../as-code/as-code.tsx'
import { call as codeCall } from '../as-code/steps.ts'

const looks: Record<ActionOutcome, { label: string; tone: StateTone }> = {
  done: { label: 'Done', tone: 'works' },
  running: { label: 'Running', tone: 'changing' },
  failed: { label: 'Failed', tone: 'failed' },
  refused: { label: 'Refused', tone: 'attention' },
}

/** Rows of both lists. */
type Row = OwnAction | Action

const columns: Column<Row>[] = [
  {
    id: 'action',
    header: 'action',
    cell: (action) => <Truncate text={sentenceOf(action)} />,
  },
  {
    id: 'outcome',
    header: 'state',
    width: 136,
    phone: 'first',
    cell: ({ outcome }) => {
      const { label, tone } = looks[outcome]
      return (
        <StateBadge tone={tone} transitional={outcome === 'running'}>
          {label}
        </StateBadge>
      )
    },
  },
  {
    id: 'reason',
    header: 'reason',
    phone: 'second',
    cell: ({ reason }) => reason && <Truncate text={reason} className="text-secondary" />,
  },
  {
    id: 'started',
    header: 'started',
    width: 176,
    phone: 'second',
    cell: ({ timeStarted }) => <DateTime date={timeStarted} />,
  },
  {
    id: 'took',
    header: 'took',
    width: 96,
    phone: 'second',
    labelled: true,
    cell: ({ timeStarted, timeCompleted }) => durationText(timeStarted, timeCompleted),
  },
]

/** The user who took an action. */
const by: Column<Action> = {
  id: 'by',
  header: 'by',
  width: 144,
  phone: 'second',
  cell: (action) => (
    <Truncate
      text={action.isOwn ? 'You' : nameOfUser(action) + (action.jobId ? ', in a job' : '')}
    />
  ),
}

const othersColumns = [columns[0]!, by, ...columns.slice(1)].filter(
  ({ id }) => id !== 'took',
) as Column<Action>[]
const noActions = () => []

const whose = { mine: 'Mine', everyone: 'Everyone’s' }
const ALL = ''

/** A change of others is shown within this time. */
const OTHERS_MS = 5_000

const query = (pageToken?: string) =>
  apiQuery('ownActionList', {
    query: { limit: PAGE_SIZE, pageToken, sortBy: 'time_completed_descending' },
  })

/** Single actions with their outcomes, newest first: the user's, or everyone's. */
export function ActionsList() {
  const [who, setWho] = useState('mine')
  const [project, setProject] = useState(ALL)
  const isAll = who === 'everyone'
  const projects = useQuery({
    ...apiQuery('projectList', { query: { limit: ALL_ITEMS } }),
    enabled: isAll,
  })
  const places = {
    [ALL]: 'All projects',
    ...Object.fromEntries((projects.data?.items ?? []).map(({ name }) => [name, name])),
  }
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 px-(--gutter) pb-3">
        <ChoiceSelect
          label="Actions"
          value={who}
          options={whose}
          active={isAll}
          onChange={setWho}
        />
        {isAll && (
          <ChoiceSelect
            label="Project"
            value={project in places ? project : ALL}
            options={places}
            active={project !== ALL}
            onChange={setProject}
          />
        )}
      </div>
      {isAll ? <Everyones key={project} project={project || undefined} /> : <Own />}
    </>
  )
}

function Everyones({ project }: { project: string | undefined }) {
  const read = usePages<Action>((pageToken) => ({
    ...apiQuery('actionList', {
      query: { project, limit: PAGE_SIZE, pageToken, sortBy: 'time_completed_descending' },
    }),
    // Later pages do not move under the reader.
    refetchInterval: pageToken === undefined && OTHERS_MS,
  }))
  return (
    <PagedTable
      what="The actions"
      label="Actions"
      columns={othersColumns}
      read={read}
      actions={noActions}
      empty={{
        icon: ListTodo,
        title: 'No actions',
        body: 'Changes of the resources that you may read appear here',
      }}
    />
  )
}

function Own() {
  const polled = useLivePolling(1000)
  const read = usePages<OwnAction>((pageToken) => ({
    ...query(pageToken),
    refetchInterval: ({ state }) =>
      Boolean(state.data?.items.some(({ outcome }) => outcome === 'running')) && (polled || 2_000),
  }))
  const actions = useRepetition()
  return (
    <PagedTable
      what="The actions"
      label="Actions"
      columns={columns}
      read={read}
      actions={actions}
      empty={{
        icon: ListTodo,
        title: 'No actions',
        body: 'Your changes appear here, each with its result',
      }}
    />
  )
}

/** Takes actions again. Their operation is known only at run time, as are its arguments. */
function useRepetition(): (action: OwnAction) => MenuAction[] {
  return ({ operationId: id, outcome, summary, target }) => {
    const operation = camel(id) as 'instanceStart'
    const parameter = camel(repeatableActions[id] ?? '')
    const args = { path: { [parameter]: target?.id ?? '' } } as never
    const again = async () => {
      await call(operation, args)
      addToast('Done again')
      await invalidate('ownActionList')
    }
    const calls = { operation, project: target?.projectId ?? undefined }
    return [
      {
        label: 'Do again',
        calls,
        disabledReason: cannotRepeat({ operation: id, outcome, target: target?.id }),
        onAction: () =>
          confirmAction({
            title: 'Do again',
            body: `${summary}${target ? `: ${targetText(target)}` : ''}`,
            errorTitle: 'Could not do it again',
            calls,
            action: again,
            code: () => asCode(codeCall(operation, args)),
          }),
      },
    ]
  }
}

/** `< 0.1 s`, `0.2 s`, `3 min`. */
function durationText(from: Date, to: Date): string {
  const seconds = Math.max(0, to.getTime() - from.getTime()) / 1000
  if (seconds < 0.1) return '< 0.1 s'
  return seconds < 60 ? `${seconds.toFixed(1)} s` : `${Math.round(seconds / 60)} min`
}
