import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, live } from './build.ts'
import { makeSearchable } from './searched.ts'

const ends = ['destination', 'target']

/** Gives the type and the value of each end of a route a column of its own. */
async function splitEnds(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const text = sql.raw(dialect === 'postgres' ? 'text collate "C"' : 'text')
  for (const end of ends) {
    for (const part of ['type', 'value']) {
      const column = `${end}_${part}`
      await db.schema
        .alterTable('router_route')
        .addColumn(column, text, (c) => c.notNull().defaultTo(''))
        .execute()
      const stored =
        dialect === 'postgres'
          ? sql`${sql.ref(end)}::json ->> ${sql.lit(part)}`
          : sql`json_extract(${sql.ref(end)}, ${sql.lit(`$.${part}`)})`
      await sql`update router_route set ${sql.ref(column)} = coalesce(${stored}, '')`.execute(db)
    }
    await db.schema.alterTable('router_route').dropColumn(end).execute()
  }
}

/** Makes routers and routes lists that can be searched. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  await splitEnds(db, dialect)
  await makeSearchable(db, dialect, 'vpc_router', 'vpc_id', ['kind'])
  await makeSearchable(
    db,
    dialect,
    'router_route',
    'vpc_router_id',
    ['kind', 'destination_value', 'target_value', 'target_type'],
    ['destination_value', 'target_value'],
  )
  // A router that is deleted is detached from its subnets.
  await index(db, 'vpc_subnet_custom_router', 'vpc_subnet', ['custom_router_id'], { where: live })
}
