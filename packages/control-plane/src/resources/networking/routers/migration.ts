import type { RouteDestinationType } from '@steading/api/rules'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../../../kernel/db/database.ts'
import { index, live } from '../../../migrations/build.ts'
import { makeSearchable } from '../../../migrations/searched.ts'
import { destinationKey } from './destination-key.ts'

const ends = ['destination', 'target']

/** Splits each end of a route into columns for its type and value. */
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

/** Makes routers and routes searchable lists. */
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
  // Deleting a router detaches it from its subnets.
  await index(db, 'vpc_subnet_custom_router', 'vpc_subnet', ['custom_router_id'], { where: live })
}

/** Rows per statement. */
const SOME = 1000

type Destination = { id: string; type: RouteDestinationType; value: string }

/** Sorts routes by the addresses of their destinations. */
export async function sortedByAddress(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const type = sql.raw(dialect === 'postgres' ? 'text collate "C"' : 'text')
  await db.schema
    .alterTable('router_route')
    .addColumn('destination_key', type, (column) => column.notNull().defaultTo(''))
    .execute()
  for (let last = ''; ;) {
    const { rows } = await sql<Destination>`
      select id, destination_type as type, destination_value as value from router_route
      where id > ${last} order by id limit ${SOME}`.execute(db)
    if (rows.length === 0) break
    last = rows.at(-1)!.id
    const keys = rows.map((row) => sql`(${row.id}, ${destinationKey(row)})`)
    await sql`
      with keys (id, key) as (values ${sql.join(keys)})
      update router_route set destination_key = keys.key
      from keys where keys.id = router_route.id`.execute(db)
  }
  await db.schema.dropIndex('router_route_by_destination_value').execute()
  await index(
    db,
    'router_route_by_destination_key',
    'router_route',
    ['vpc_router_id', 'destination_key', 'id'],
    { where: live },
  )
}
