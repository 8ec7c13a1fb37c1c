/** Multicast groups, as the networks of VPCs carry them. */
import type { Db } from '../../../kernel/db/database.ts'
import type { VpcMulticastGroup } from '../../../kernel/ports/vpc-networks.ts'
import { sourceIps } from './table.ts'

/** Groups with members in several VPCs, of these. */
async function sharedOf(db: Db, groupIds: readonly string[]): Promise<Set<string>> {
  if (groupIds.length === 0) return new Set()
  const rows = await db
    .selectFrom('multicast_group_member as member')
    .innerJoin('network_interface as nic', 'nic.instance_id', 'member.instance_id')
    .select('member.group_id')
    .where('member.group_id', 'in', groupIds)
    .groupBy('member.group_id')
    .having((eb) => eb(eb.fn.count('nic.vpc_id').distinct(), '>', 1))
    .execute()
  return new Set(rows.map(({ group_id }) => group_id))
}

/** The groups with members in some VPCs, by these. Members that do not run receive nothing anyway. */
export async function multicastOf(
  db: Db,
  vpcIds: readonly string[],
): Promise<Map<string, VpcMulticastGroup[]>> {
  const rows = await db
    .selectFrom('multicast_group_member as member')
    .innerJoin('multicast_group as its', 'its.id', 'member.group_id')
    .innerJoin('network_interface as nic', 'nic.instance_id', 'member.instance_id')
    .select(['its.id', 'its.multicast_ip', 'member.source_ips', 'nic.id as nic_id', 'nic.vpc_id'])
    .where('nic.vpc_id', 'in', vpcIds)
    .orderBy('its.id')
    .orderBy('nic.id')
    .execute()
  const shared = await sharedOf(db, [...new Set(rows.map(({ id }) => id))])
  const found = new Map<string, VpcMulticastGroup[]>()
  for (const [vpcId, members] of Map.groupBy(rows, ({ vpc_id }) => vpc_id)) {
    const groups = [...Map.groupBy(members, ({ id }) => id).values()]
    found.set(
      vpcId,
      groups.map((group) => ({
        id: group[0]!.id,
        address: group[0]!.multicast_ip,
        isShared: shared.has(group[0]!.id),
        members: group.map(({ nic_id, source_ips }) => ({
          interfaceId: nic_id,
          sources: sourceIps.read(source_ips),
        })),
      })),
    )
  }
  return found
}
