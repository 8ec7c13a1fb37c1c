import type { Wire } from '@steading/api'
import type { Selectable } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { idsIn, countRowsBy } from '../../../kernel/db/rows.ts'
import { type MulticastGroupMemberTable, sourceIps } from './table.ts'

export type GroupRow = Row<'multicast_group'>
export type MemberRow = Selectable<MulticastGroupMemberTable>

export const sourcesOf = ({ source_ips }: Pick<MemberRow, 'source_ips'>): string[] =>
  sourceIps.read(source_ips)

/** Group → the lists of sources that its members accept, each once. */
async function sourcesIn(db: Db, groups: readonly GroupRow[]): Promise<Map<string, string[][]>> {
  if (groups.length === 0) return new Map()
  const rows = await db
    .selectFrom('multicast_group_member')
    .select(['group_id', 'source_ips'])
    .where('group_id', 'in', idsIn(groups))
    .groupBy(['group_id', 'source_ips'])
    .orderBy('source_ips')
    .execute()
  const found = new Map<string, string[][]>()
  for (const row of rows) {
    found.set(row.group_id, [...(found.get(row.group_id) ?? []), sourcesOf(row)])
  }
  return found
}

export async function toWireGroups(
  db: Db,
  rows: readonly GroupRow[],
): Promise<Wire.MulticastGroup[]> {
  const sources = await sourcesIn(db, rows)
  return rows.map((row) => {
    const lists = sources.get(row.id) ?? []
    return {
      ...identityOf(row),
      multicast_ip: row.multicast_ip,
      ip_pool_id: row.ip_pool_id,
      source_ips: [...new Set(lists.flat())],
      has_any_source_member: lists.some((list) => list.length === 0),
      state: row.state,
    }
  })
}

/** Group → number of its members; groups without members are left out. */
export async function memberCounts(
  db: Db,
  rows: readonly GroupRow[],
): Promise<Map<string, number>> {
  if (rows.length === 0) return new Map()
  const members = db.selectFrom('multicast_group_member').where('group_id', 'in', idsIn(rows))
  return countRowsBy(members, 'group_id')
}

/**
 * Members have no names of their own; users of other silos must not see the name of an instance.
 */
export const toWireMember = (
  row: MemberRow & { multicast_ip: string },
): Wire.MulticastGroupMember => ({
  id: row.id,
  name: `member-${row.id}`,
  description: '',
  time_created: row.time_created,
  time_modified: row.time_modified,
  multicast_group_id: row.group_id,
  multicast_ip: row.multicast_ip,
  instance_id: row.instance_id,
  source_ips: sourcesOf(row),
  state: row.state,
})
