import type { Wire } from '@steading/api'
import { INSIDE } from '../../../kernel/kinds.ts'
import { pick } from '../../../kernel/pick.ts'
import type { DeletedRow } from './restore.ts'

export const toWireDeleted = (row: DeletedRow): Wire.DeletedResource => ({
  ...pick(row, 'id', 'name', 'description', 'project_id', 'kind'),
  inside: row.inside === '' ? [] : row.inside.split(INSIDE),
  size: Number(row.size),
  user_id: row.author_id,
  user_name: row.author_name,
  time_deleted: row.time_created,
  time_expires: row.time_expires,
})
