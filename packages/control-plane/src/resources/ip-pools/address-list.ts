import type { Wire } from '@steading/api'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors.ts'
import { type Page, tokenAfter } from '../../kernel/paging.ts'
import { beginning, handlesIn, inRange } from '../../kernel/search/handles.ts'

type Row = Wire.IpPoolAddress & { ip_key: string }

/** Where a page begins: an address, and of one that is shared a block of its ports. */
const marker = ({ ip_key, first_port }: Row): string => `${ip_key}.${first_port}`

function isAfter(lastSeen: string): RawBuilder<boolean> {
  const [, key, port] = /^([0-9a-f]{8}|[0-9a-f]{32})\.(\d{1,5})$/.exec(lastSeen) ?? []
  if (key === undefined) throw fail.badRequest('invalid pagination marker')
  return sql`(address.ip_key, address.first_port) > (${key}, ${Number(port)})`
}

/** True of addresses that begin with a text, or whose holder has a name that does. */
function isFound(search: string): RawBuilder<boolean> {
  const { ip } = handlesIn(search)
  if (ip) return inRange('address.ip', ip)
  const names = beginning(search.toLowerCase())
  const named = (column: string) => inRange(column, names)
  return sql`(${named('address.name')} or ${named('instance.name')} or ${named('project.name')}
    or ${named('silo.name')})`
}

const view = (row: Row): Wire.IpPoolAddress => ({
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

/** A page of the addresses of a pool that are in use, in their order. */
export async function pageOfAddresses(
  { db, page }: { db: Db; page: Page },
  pool: { id: string },
  search: string | undefined,
): Promise<Wire.IpPoolAddressResultsPage> {
  const { rows } = await sql<Row>`
    select address.id, address.ip, address.ip_key, address.kind, address.name,
      address.first_port, address.last_port, address.instance_id, address.time_created,
      silo.name as silo_name, project.name as project_name, instance.name as instance_name
    from external_ip as address
    join project on project.id = address.project_id
    join silo on silo.id = project.silo_id
    left join instance on instance.id = address.instance_id
    where address.ip_pool_id = ${pool.id}
      and ${page.lastSeen === undefined ? sql`1 = 1` : isAfter(page.lastSeen)}
      and ${search ? isFound(search) : sql`1 = 1`}
    order by address.ip_key, address.first_port
    limit ${page.limit}`.execute(db)
  const last = rows.at(-1)
  return {
    items: rows.map(view),
    next_page: last ? tokenAfter(page, { last_seen: marker(last) }) : null,
  }
}
