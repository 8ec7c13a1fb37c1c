import type { Kysely } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { table } from './build.ts'

/** Steps of the reconciler that have taken too long. */
export const up = (db: Kysely<unknown>, dialect: Dialect): Promise<void> =>
  table(
    db,
    dialect,
    'endless_step',
    { kind: 'text', id: 'text', fence: 'int', server: 'text', time_began: 'text' },
    ['kind', 'id'],
  )
