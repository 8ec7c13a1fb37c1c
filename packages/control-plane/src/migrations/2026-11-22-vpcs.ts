import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { makeSearchable } from './searched.ts'

export const up = (db: Kysely<unknown>, dialect: Dialect): Promise<void> =>
  makeSearchable(db, dialect, 'vpc', 'project_id', ['dns_name'], ['dns_name'])
