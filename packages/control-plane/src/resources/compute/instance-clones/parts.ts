/** Parts of the body that creates an instance like another one. */
import type { Wire } from '@steading/api'
import type { Db } from '../../../kernel/db/database.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { sourcesOf } from '../../networking/multicast-groups/wire.ts'

/** The interfaces of the source, to be made again with new addresses. */
export async function interfacesOf(
  db: Db,
  { id }: Row<'instance'>,
): Promise<Wire.InstanceNetworkInterfaceAttachment> {
  const rows = await db
    .selectFrom('network_interface as its')
    .innerJoin('vpc_subnet as subnet', 'subnet.id', 'its.subnet_id')
    .innerJoin('vpc', 'vpc.id', 'its.vpc_id')
    .select(['its.name', 'its.description', 'its.ipv4', 'its.ipv6'])
    .select(['subnet.name as subnet_name', 'vpc.name as vpc_name'])
    .where('its.instance_id', '=', id)
    .orderBy('its.is_primary', 'desc')
    .orderBy('its.slot')
    .execute()
  if (rows.length === 0) return { type: 'none' }
  const automatic = { ip: { type: 'auto' as const }, transit_ips: [] }
  const config = (ipv4: string | null, ipv6: string | null): Wire.PrivateIpStackCreate => {
    if (ipv4 !== null && ipv6 !== null) {
      return { type: 'dual_stack', value: { v4: automatic, v6: automatic } }
    }
    return { type: ipv4 === null ? 'v6' : 'v4', value: automatic }
  }
  return {
    type: 'create',
    params: rows.map(({ ipv4, ipv6, ...row }) => ({ ...row, ip_config: config(ipv4, ipv6) })),
  }
}

/** Ephemeral addresses of the same pools. */
export async function ephemeralIpsOf(
  db: Db,
  { id }: Row<'instance'>,
): Promise<Wire.ExternalIpCreate[]> {
  const rows = await db
    .selectFrom('external_ip')
    .select('ip_pool_id')
    .where('instance_id', '=', id)
    .where('kind', '=', 'ephemeral')
    .orderBy('ip_key')
    .execute()
  return rows.map(({ ip_pool_id }) => ({
    type: 'ephemeral',
    pool_selector: { type: 'explicit', pool: ip_pool_id },
  }))
}

export const groupIdsOf = async (
  db: Db,
  { id }: Row<'instance'>,
  kind: 'affinity_group' | 'anti_affinity_group',
): Promise<string[]> => {
  const rows = await rowsOf(db, kind)
    .innerJoin('affinity_group_member as member', 'member.group_id', 'its.id')
    .select('its.id')
    .where('member.instance_id', '=', id)
    .execute()
  return rows.map((row) => row.id)
}

export async function multicastOf(
  db: Db,
  { id }: Row<'instance'>,
): Promise<Wire.MulticastGroupJoinSpec[]> {
  const members = await db
    .selectFrom('multicast_group_member')
    .selectAll()
    .where('instance_id', '=', id)
    .execute()
  return members.map((member) => ({
    group: member.group_id,
    source_ips: sourcesOf(member),
    ip_version: null,
  }))
}
