import type { Wire } from '@steading/api'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Page, tokenAfter } from '../../../kernel/paging.ts'
import { beginning, handlesIn, inRange } from '../../../kernel/search/handles.ts'
import { addressColumns, addressHolders, type ListedAddresses } from './holders.ts'

type Row = Wire.IpPoolAddress & { ip_key: string }

/** The position where a page begins: an address, and for a shared one a block of its ports. */
const marker = ({ ip_key, first_port }: Row): string => `${ip_key}.${first_port}`

interface AddressPosition {
  key: string
  port: number
}

/** The position where the previous page ended; undefined for the first one. */
function positionOf({ lastSeen }: Page): AddressPosition | undefined {
  if (lastSeen === undefined) return undefined
  const [, key, port] = /^([0-9a-f]{8}|[0-9a-f]{32})\.(\d{1,5})$/.exec(lastSeen) ?? []
  if (key === undefined) throw fail.badRequest('invalid pagination marker')
  return { key, port: Number(port) }
}

const isAfter = (
  { columns }: ListedAddresses,
  { key, port }: AddressPosition,
): RawBuilder<boolean> => sql`(its.ip_key, ${columns.first_port}) > (${key}, ${port})`

/** True of addresses that begin with a text, or whose holder has a name that does. */
function isFound({ columns, names }: ListedAddresses, search: string): RawBuilder<boolean> {
  const range = handlesIn(search).ip
  if (range) return inRange(columns.ip, range)
  const beginnings = beginning(search.toLowerCase())
  return sql`(${sql.join(
    names.map((name) => inRange(name, beginnings)),
    sql` or `,
  )})`
}

const toWire = (row: Row): Wire.IpPoolAddress => ({
  id: row.id,
  ip: row.ip,
  kind: row.kind,
  name: row.name,
  first_port: row.first_port,
  last_port: row.last_port,
  silo_name: row.silo_name,
  project_name: row.project_name,
  instance_id: row.instance_id,
  instance_name: row.instance_name,
  time_created: row.time_created,
})

/** A page of the addresses of a pool that are in use, in order. */
export async function pageOfAddresses(
  { db, page }: { db: Db; page: Page },
  pool: { id: string },
  search: string | undefined,
): Promise<Wire.IpPoolAddressResultsPage> {
  const after = positionOf(page)
  const each = addressHolders().map(
    ({ listed }) => sql`select * from (
      select its.id, its.ip_key, its.name, its.time_created, ${sql.join(
        addressColumns.map((column) => sql`${listed.columns[column]} as ${sql.ref(column)}`),
      )}
      from ${listed.from}
      where its.ip_pool_id = ${pool.id}
        and ${after ? isAfter(listed, after) : sql`1 = 1`}
        and ${search ? isFound(listed, search) : sql`1 = 1`}
      order by ip_key, first_port limit ${page.limit}) as part`,
  )
  const { rows } = await sql<Row>`
    ${sql.join(each, sql` union all `)}
    order by ip_key, first_port limit ${page.limit}`.execute(db)
  const last = rows.at(-1)
  return {
    items: rows.map(toWire),
    next_page: last ? tokenAfter(page, { last_seen: marker(last) }) : null,
  }
}
