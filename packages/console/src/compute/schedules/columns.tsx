import type { Schedule } from '@steading/api/client'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import { LastRun, ScheduleStateBadge } from './schedule-state.tsx'
import { actionWords, recurrenceWords } from './words.ts'

/** Columns of schedules, in the list and beside their targets. */
export const columnsOf = (project: string): Column<Schedule>[] => [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name: schedule }) => (
      <CellLink to="/projects/$project/schedules/$schedule" params={{ project, schedule }}>
        {schedule}
      </CellLink>
    ),
  },
  { id: 'action', header: 'action', sort: 'action', cell: (schedule) => actionWords(schedule) },
  {
    id: 'recurrence',
    header: 'recurrence',
    width: 200,
    phone: 'second',
    cell: ({ recurrence }) => recurrenceWords(recurrence),
  },
  {
    id: 'next',
    header: 'next run',
    sort: 'time_next',
    width: 184,
    phone: 'second',
    labelled: true,
    cell: ({ timeNext }) => (timeNext ? <DateTime date={timeNext} /> : <EmptyCell />),
  },
  {
    id: 'last',
    header: 'last result',
    sort: 'last_result',
    width: 184,
    phone: 'second',
    cell: (schedule) => <LastRun {...schedule} />,
  },
  {
    id: 'state',
    header: 'state',
    sort: 'state',
    width: 112,
    phone: 'first',
    cell: (schedule) => <ScheduleStateBadge {...schedule} />,
  },
  { ...(descriptionColumn as Column<Schedule>), optional: true },
  { ...(createdColumn as Column<Schedule>), optional: true },
]
