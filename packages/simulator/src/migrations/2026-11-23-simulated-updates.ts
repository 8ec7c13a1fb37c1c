import { type Kysely, sql } from 'kysely'
import { type Dialect, table } from '@steading/control-plane/engine'

/** Machines that move, and what runs on the components of sleds and switches. */
export const up = async (db: Kysely<unknown>, dialect: Dialect): Promise<void> => {
  await db.schema.alterTable('simulated_machine').addColumn('move', 'text').execute()
  await db.schema
    .alterTable('simulated_sled')
    .addColumn('recovered', sql.raw('int'), (c) => c.notNull().defaultTo(0))
    .execute()
  await table(
    db,
    dialect,
    'simulated_component',
    { serial: 'text', kind: 'text', artifact: 'text?', next: 'text?', ready_at: 'bigint?' },
    ['serial', 'kind'],
  )
}
