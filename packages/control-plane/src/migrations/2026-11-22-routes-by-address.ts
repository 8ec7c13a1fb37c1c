import type { RouteDestinationType } from '@steading/api/rules'
import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, live } from './build.ts'
import { destinationKey } from '../resources/networking/routers/destination-key.ts'

/** Rows whose keys are written by one statement. */
const SOME = 1000

type Destination = { id: string; type: RouteDestinationType; value: string }

/** Sorts routes by the addresses of their destinations. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
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
