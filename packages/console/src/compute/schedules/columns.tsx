import type { Schedule } from '@steading/api/client'
import type { ListColumn } from '../../page/columns.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import { LastRun, ScheduleStateBadge } from './schedule-state.tsx'
import { actionWords, recurrenceWords } from './labels.ts'

/** Columns of schedules, in the list and beside their targets. */
export const scheduleColumns: ListColumn<Schedule>[] = [
  'name',
  { id: 'action', header: 'action', sort: 'action', cell: (schedule) => actionWords(schedule) },
  {
    id: 'recurrence',
    header: 'recurrence',
    width: 264,
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
    width: 112,
    cell: (schedule) => <ScheduleStateBadge {...schedule} />,
  },
  { id: 'description', optional: true },
  { id: 'created', optional: true },
]
