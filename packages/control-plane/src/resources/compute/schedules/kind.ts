import { sql } from 'kysely'
import { deletionSentences } from '@steading/api/rules'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import {
  described,
  nullableText,
  searchOf,
  text,
  usualSorts,
} from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { deleteSchedule } from './delete.ts'
import { scheduleTables } from './table.ts'
import { type ScheduleRow, toWireSchedules } from './wire.ts'

export const schedule: StoredKind<'schedule'> = {
  tables: scheduleTables,
  live: '1 = 1',
  search: searchOf('schedule_search', {
    searched: described,
    sorts: {
      ...usualSorts,
      action: text('action'),
      state: text('state'),
      time_next: nullableText('time_next'),
      last_result: nullableText('last_result'),
    },
    filters: {
      action: oneOf('action'),
      state: oneOf('state'),
      last_result: oneOf('last_result'),
    },
    toWire: (rows: ScheduleRow[], { db }) => toWireSchedules(db, rows),
  }),
  steps: {
    delete: stepOn('schedule', 'schedule_delete', deleteSchedule),
  },
  deletion: { columns: { project_id: 'project_id' } },
  relations: [
    {
      owner: 'project',
      relation: 'goes',
      pairs: sql`select id, project_id as owner_id from schedule`,
      reason: deletionSentences.partOfProject,
    },
  ],
}
