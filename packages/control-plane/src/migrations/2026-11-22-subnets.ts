import { type Kysely, sql } from 'kysely'
import type { Dialect } from '../kernel/db/database.ts'
import { index, live } from './build.ts'
import { makeSearchable } from './searched.ts'
import { blockKeys } from '../resources/networking/subnets/blocks.ts'

const columns = ['ipv4_first', 'ipv4_last', 'ipv6_first', 'ipv6_last'] as const

/** Rows per statement. */
const SOME = 1000

type Blocks = { id: string; ipv4_block: string; ipv6_block: string }

async function fill(db: Kysely<unknown>): Promise<void> {
  for (let last = ''; ;) {
    const { rows } = await sql<Blocks>`
      select id, ipv4_block, ipv6_block from vpc_subnet where id > ${last}
      order by id limit ${SOME}`.execute(db)
    if (rows.length === 0) return
    last = rows.at(-1)!.id
    const keys = rows.map((row) => {
      const its = blockKeys(row)
      return sql`(${row.id}, ${sql.join(columns.map((column) => its[column]))})`
    })
    await sql`
      with keys (id, ${sql.join(columns.map((column) => sql.ref(column)))})
        as (values ${sql.join(keys)})
      update vpc_subnet set
        ${sql.join(columns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`keys.${column}`)}`))}
      from keys where keys.id = vpc_subnet.id`.execute(db)
  }
}

/** Adds the search, and the keys for finding overlapping blocks. */
export async function up(db: Kysely<unknown>, dialect: Dialect): Promise<void> {
  const type = sql.raw(dialect === 'postgres' ? 'text collate "C"' : 'text')
  for (const column of columns) {
    await db.schema.alterTable('vpc_subnet').addColumn(column, type).execute()
  }
  await fill(db)
  await makeSearchable(db, dialect, 'vpc_subnet', 'vpc_id', [], ['ipv4_block', 'ipv6_block'])
  for (const column of ['ipv4_first', 'ipv6_first']) {
    await index(db, `vpc_subnet_${column}`, 'vpc_subnet', ['vpc_id', column], {
      unique: true,
      where: live,
    })
  }
}
