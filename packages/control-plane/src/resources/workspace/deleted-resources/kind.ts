import { deletionSentences } from '@steading/api/rules'
import { sql } from 'kysely'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, each, number, searchOf, text } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { deletePermanently } from './release.ts'
import { restoreResource } from './restore.ts'
import { deletedResourceTables } from './table.ts'
import { toWireDeleted } from './wire.ts'

export const deleted_resource: StoredKind<'deleted_resource'> = {
  tables: deletedResourceTables,
  // A restored or released resource has no row.
  live: '1 = 1',
  search: searchOf('deleted_resource_search', {
    searched: [...described, 'author_name'],
    sorts: {
      time_deleted: text('time_created'),
      // Several deleted resources may have the same name.
      name: text('name'),
      natural_name: text('name_key'),
      time_expires: text('time_expires'),
      size: number('size'),
      user_name: text('author_name'),
    },
    filters: { kind: oneOf('kind') },
    toWire: each(toWireDeleted),
  }),
  bulkColumns: ['kind'],
  steps: {
    restore: stepOn('deleted_resource', 'deleted_resource_restore', restoreResource),
    delete: stepOn('deleted_resource', 'deleted_resource_delete', deletePermanently),
  },
  deletion: { columns: { project_id: 'project_id' } },
  relations: [
    {
      owner: 'project',
      relation: 'goes',
      pairs: sql`select id, project_id as owner_id from deleted_resource`,
      reason: deletionSentences.restorable,
    },
  ],
}
