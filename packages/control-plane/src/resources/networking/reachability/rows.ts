/** Reads the rows for the model of the network. */
import type {
  ExternalIpRow,
  InstanceRow,
  InterfaceRow,
  NetworkRows,
  RuleEnd,
  RuleRow,
} from '@steading/network'
import { type Address, contains, formatAddress, JUMBO_MTU, parseNetwork } from '@steading/api/rules'
import { sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { tagsById } from '../../../kernel/tags/tags.ts'
import { idsIn, countRowsBy } from '../../../kernel/db/rows.ts'
import { pick } from '../../../kernel/pick.ts'
import { addressKey, addressOfKey } from '../addresses/keys.ts'
import { destinationOf, targetOf } from '../routers/wire.ts'
import { ruleFilters, ruleTargets } from '../firewall-rules/table.ts'
import { transitNetworks } from '../network-interfaces/table.ts'

/** An id that matches no row, because databases refuse an empty list. */
const nowhere = '00000000-0000-0000-0000-000000000000'
const some = (ids: readonly string[]): readonly string[] => (ids.length === 0 ? [nowhere] : ids)

/** The parts of VPCs other than instances and addresses. */
async function readVpcs(db: Db, vpcIds: readonly string[]) {
  const identified = ['its.id', 'its.name', 'its.vpc_id'] as const
  const vpcs = await rowsOf(db, 'vpc')
    .select(['its.id', 'its.name', 'project_id', 'ipv6_prefix', 'dns_name'])
    .where('its.id', 'in', vpcIds)
    .orderBy('its.name')
    .execute()
  const subnets = await rowsOf(db, 'vpc_subnet')
    .select([...identified, 'ipv4_block', 'ipv6_block', 'custom_router_id'])
    .where('vpc_id', 'in', vpcIds)
    .orderBy('its.name')
    .execute()
  const live = (table: 'vpc_router' | 'internet_gateway') =>
    db.selectFrom(table).where('time_deleted', 'is', null).where('vpc_id', 'in', vpcIds)
  const routers = await db
    .selectFrom('vpc_router')
    .select(['id', 'name', 'vpc_id', 'kind'])
    .where('vpc_id', 'in', vpcIds)
    .where('time_deleted', 'is', null)
    .orderBy('name')
    .execute()
  const routes = await rowsOf(db, 'router_route')
    .selectAll()
    .where('vpc_router_id', 'in', live('vpc_router').select('id'))
    .orderBy('its.name')
    .execute()
  const gateways = await db
    .selectFrom('internet_gateway')
    .select(['id', 'name', 'vpc_id'])
    .where('vpc_id', 'in', vpcIds)
    .where('time_deleted', 'is', null)
    .orderBy('name')
    .execute()
  const pools = await db
    .selectFrom('internet_gateway_ip_pool')
    .select(['internet_gateway_id', 'ip_pool_id'])
    .where('internet_gateway_id', 'in', live('internet_gateway').select('id'))
    .where('time_deleted', 'is', null)
    .execute()
  const addresses = await db
    .selectFrom('internet_gateway_ip_address')
    .select(['internet_gateway_id', 'address'])
    .where('internet_gateway_id', 'in', live('internet_gateway').select('id'))
    .where('time_deleted', 'is', null)
    .execute()
  return {
    vpcs,
    subnets,
    routers,
    routes: routes.map((route) => ({
      ...pick(route, 'id', 'name', 'vpc_router_id', 'kind'),
      destination: destinationOf(route),
      target: targetOf(route),
    })),
    internet_gateways: gateways.map((gateway) => ({
      ...gateway,
      ip_pool_ids: pools
        .filter(({ internet_gateway_id }) => internet_gateway_id === gateway.id)
        .map(({ ip_pool_id }) => ip_pool_id),
      addresses: addresses
        .filter(({ internet_gateway_id }) => internet_gateway_id === gateway.id)
        .map(({ address }) => address),
    })),
  }
}

async function readRules(db: Db, vpcIds: readonly string[]): Promise<RuleRow[]> {
  const rows = await db
    .selectFrom('vpc_firewall_rule')
    .select([
      'id',
      'name',
      'vpc_id',
      'status',
      'direction',
      'targets',
      'filters',
      'action',
      'priority',
    ])
    .where('vpc_id', 'in', vpcIds)
    .where('time_deleted', 'is', null)
    .execute()
  return rows.map(({ targets, filters, ...rule }) => ({
    ...rule,
    targets: ruleTargets.read(targets) as RuleEnd[],
    filters: ruleFilters.read(filters) as RuleRow['filters'],
  }))
}

/**
 * The instances of VPCs, and perhaps some without a network, with their interfaces and addresses;
 * at most `limit` instances, by name.
 */
async function readInstances(
  db: Db,
  vpcIds: readonly string[],
  { instanceIds = [], limit }: { instanceIds?: readonly string[]; limit?: number } = {},
) {
  const connected = db
    .selectFrom('network_interface')
    .select('instance_id')
    .where('vpc_id', 'in', vpcIds)
  let instanceRows = rowsOf(db, 'instance')
    .select(['its.id', 'its.name', 'project_id', 'run_state', 'enable_jumbo_frames'])
    .where((eb) => eb.or([eb('its.id', 'in', connected), eb('its.id', 'in', some(instanceIds))]))
    .orderBy('its.name')
    .orderBy('its.id')
  if (limit !== undefined) instanceRows = instanceRows.limit(limit)
  const instances = await instanceRows.execute()
  const known = new Set(instances.map(({ id }) => id))
  const nics = await db
    .selectFrom('network_interface')
    .selectAll()
    .where('vpc_id', 'in', vpcIds)
    .orderBy('slot')
    .execute()
  const externalIps = await db
    .selectFrom('external_ip')
    .select(['id', 'kind', 'name', 'ip', 'ip_pool_id', 'instance_id', 'first_port', 'last_port'])
    .where('instance_id', 'in', connected)
    .orderBy('ip_key')
    .execute()
  const isKnown = ({ instance_id }: { instance_id: string | null }) =>
    instance_id !== null && known.has(instance_id)
  const externalSubnets = await db
    .selectFrom('external_subnet')
    .select(['id', 'name', 'subnet', 'instance_id'])
    .where('instance_id', 'in', connected)
    .orderBy('first_key')
    .execute()
  return {
    instances: instances.map(({ enable_jumbo_frames, ...row }): InstanceRow => ({
      ...row,
      ...(enable_jumbo_frames === 1 && { mtu: JUMBO_MTU }),
    })),
    interfaces: nics.filter(isKnown).map((row): InterfaceRow => ({
      ...pick(row, 'id', 'name', 'instance_id', 'vpc_id', 'subnet_id'),
      primary: row.is_primary === 1,
      mac: row.mac,
      ipv4: row.ipv4,
      ipv6: row.ipv6,
      transit_ips: [
        ...transitNetworks.read(row.transit_ips_v4),
        ...transitNetworks.read(row.transit_ips_v6),
      ],
    })),
    external_ips: externalIps.filter(isKnown) satisfies ExternalIpRow[],
    external_subnets: externalSubnets.filter(isKnown) satisfies NetworkRows['external_subnets'],
    total: new Set(nics.map(({ instance_id }) => instance_id)).size,
  }
}

/** The probes of VPCs, as the network model sees them. */
async function readProbes(db: Db, vpcIds: readonly string[]) {
  const rows = await rowsOf(db, 'probe')
    .innerJoin('sled', 'sled.id', 'its.sled_id')
    .selectAll('its')
    .select(['sled.responding', 'sled.policy'])
    .where('its.vpc_id', 'in', vpcIds)
    .orderBy('its.name')
    .execute()
  return {
    instances: rows.map((row): InstanceRow => ({
      id: row.id,
      name: row.name,
      project_id: row.project_id,
      run_state: row.responding === 1 && row.policy !== 'expunged' ? 'running' : 'failed',
      probe: true,
    })),
    interfaces: rows.map((row): InterfaceRow => ({
      id: row.interface_id,
      name: row.name,
      instance_id: row.id,
      vpc_id: row.vpc_id,
      subnet_id: row.subnet_id,
      primary: true,
      mac: row.mac,
      ipv4: row.ipv4,
      ipv6: row.ipv6,
      transit_ips: [],
    })),
    external_ips: rows.map((row): ExternalIpRow => ({
      id: row.id,
      kind: 'ephemeral',
      name: null,
      ip: row.ip,
      ip_pool_id: row.ip_pool_id,
      instance_id: row.id,
      first_port: 0,
      last_port: 65_535,
    })),
  }
}

/** The ranges of pools, and the networks of subnet pools, that contain the given addresses. */
async function readPoolRanges(db: Db, addresses: readonly Address[]) {
  const ranges: NetworkRows['pool_ranges'] = []
  for (const address of addresses) {
    const key = addressKey(address)
    for (const table of ['ip_pool_range', 'subnet_pool_member'] as const) {
      const rows = await db
        .selectFrom(table)
        .select(['first_key', 'last_key'])
        .where('first_key', '<=', key)
        .where('last_key', '>=', key)
        // Keys of the two versions are of different lengths.
        .where(sql`length(first_key)`, '=', key.length)
        .execute()
      const text = (one: string) => addressOfKey(one, address.version)
      for (const { first_key, last_key } of rows) {
        ranges.push({ first: text(first_key), last: text(last_key) })
      }
    }
  }
  return ranges
}

/**
 * All rows that decide about packets in the given VPCs, from the given instances, which may have no
 * network, and to the given addresses outside.
 */
export async function readNetwork(
  db: Db,
  of: { vpcs: readonly string[]; instances?: readonly string[]; addresses?: readonly Address[] },
): Promise<NetworkRows> {
  const vpcIds = some(of.vpcs)
  const { total: _, ...found } = await readInstances(db, vpcIds, { instanceIds: of.instances })
  const probes = await readProbes(db, vpcIds)
  return {
    ...(await readVpcs(db, vpcIds)),
    instances: [...found.instances, ...probes.instances],
    interfaces: [...found.interfaces, ...probes.interfaces],
    external_ips: [...found.external_ips, ...probes.external_ips],
    external_subnets: found.external_subnets,
    firewall_rules: await readRules(db, vpcIds),
    pool_ranges: await readPoolRanges(db, of.addresses ?? []),
  }
}

/** The same without rules and with a limit of instances, for display. */
export async function readTopology(db: Db, of: readonly string[], limit: number) {
  const vpcIds = some(of)
  const rules = db.selectFrom('vpc_firewall_rule').where('time_deleted', 'is', null)
  const ruleCount = await countRowsBy(rules.where('vpc_id', 'in', vpcIds), 'vpc_id')
  const { total, ...instances } = await readInstances(db, vpcIds, { limit })
  const { vpcs, ...parts } = await readVpcs(db, vpcIds)
  return {
    vpcs: vpcs.map((vpc) => ({ ...vpc, firewall_rules: ruleCount.get(vpc.id) ?? 0 })),
    ...parts,
    ...instances,
    tags: await tagsById(db, 'instance', idsIn(instances.instances)),
    more_instances: total - instances.instances.length,
  }
}

/** The VPC of an instance; undefined if it has no interfaces. */
export async function vpcOfInstance(db: Db, instanceId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('network_interface')
    .select('vpc_id')
    .where('instance_id', '=', instanceId)
    .limit(1)
    .executeTakeFirst()
  return row?.vpc_id
}

/**
 * The owner of an external address, directly or through an external subnet: the VPC and project of
 * its instance or probe.
 */
export async function ownerOf(
  db: Db,
  address: Address,
): Promise<{ vpcId: string; projectId: string } | undefined> {
  const key = addressKey(address)
  const ip = await db
    .selectFrom('external_ip')
    .select(['instance_id', 'project_id'])
    .where('ip_key', '=', key)
    .where('kind', '!=', 'snat')
    .where('instance_id', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  const probe = ip
    ? undefined
    : await db
        .selectFrom('probe')
        .select(['vpc_id', 'project_id'])
        .where('ip', '=', formatAddress(address))
        .executeTakeFirst()
  if (probe) return { vpcId: probe.vpc_id, projectId: probe.project_id }
  const owner = ip ?? (await externalSubnetOf(db, address))
  const vpcId = owner && (await vpcOfInstance(db, owner.instance_id!))
  return vpcId === undefined ? undefined : { vpcId, projectId: owner!.project_id }
}

/** The attached external subnet that contains an address. */
async function externalSubnetOf(db: Db, address: Address) {
  // Subnets do not overlap, so only the last one that begins before the address can contain it.
  const row = await db
    .selectFrom('external_subnet')
    .select(['instance_id', 'project_id', 'subnet', 'first_key'])
    .where('first_key', '<=', addressKey(address))
    // Keys of the two versions are of different lengths.
    .where(sql`length(first_key)`, '=', addressKey(address).length)
    .orderBy('first_key', 'desc')
    .limit(1)
    .executeTakeFirst()
  const network = row && parseNetwork(row.subnet)
  return network && row.instance_id !== null && contains(network, address) ? row : undefined
}
