/** Hand-made rows of a cloud: ids are names with their kind. */
import { emptyRows, type NetworkRows, type RuleRow } from '../../src/index.ts'

/** A new VPC as created by the control plane. */
export function addVpc(rows: NetworkRows, name: string, prefix = 'fd00:1::'): void {
  const vpc_id = `vpc ${name}`
  rows.vpcs.push({
    id: vpc_id,
    name,
    project_id: 'project',
    ipv6_prefix: `${prefix}/48`,
    dns_name: name,
  })
  const router = `router ${name} system`
  rows.routers.push({ id: router, name: 'system', vpc_id, kind: 'system' })
  rows.internet_gateways.push({
    id: `gateway ${name} default`,
    name: 'default',
    vpc_id,
    ip_pool_ids: ['pool v4', 'pool v6'],
    addresses: [],
  })
  for (const [route, net] of [
    ['default-v4', '0.0.0.0/0'],
    ['default-v6', '::/0'],
  ] as const) {
    rows.routes.push({
      id: `route ${name} ${route}`,
      name: route,
      vpc_router_id: router,
      kind: 'default',
      destination: { type: 'ip_net', value: net },
      target: { type: 'internet_gateway', value: 'default' },
    })
  }
}

export function addSubnet(
  rows: NetworkRows,
  vpc: string,
  name: string,
  [ipv4_block, ipv6_block]: [string, string],
): void {
  const vpc_id = `vpc ${vpc}`
  const id = `subnet ${vpc} ${name}`
  rows.subnets.push({ id, name, vpc_id, ipv4_block, ipv6_block, custom_router_id: null })
  rows.routes.push({
    id: `route ${vpc} ${name}`,
    name,
    vpc_router_id: `router ${vpc} system`,
    kind: 'vpc_subnet',
    destination: { type: 'subnet', value: name },
    target: { type: 'subnet', value: name },
  })
}

export function addInstance(
  rows: NetworkRows,
  vpc: string,
  name: string,
  addresses: { subnet: string; ipv4?: string; ipv6?: string; transit_ips?: string[] }[],
): void {
  const id = `instance ${name}`
  rows.instances.push({ id, name, project_id: 'project', run_state: 'running' })
  for (const [index, { subnet, ipv4, ipv6, transit_ips = [] }] of addresses.entries()) {
    rows.interfaces.push({
      id: `nic ${name} ${index}`,
      name: `net${index}`,
      instance_id: id,
      vpc_id: `vpc ${vpc}`,
      subnet_id: `subnet ${vpc} ${subnet}`,
      primary: index === 0,
      mac: 'A8:40:25:F0:00:01',
      ipv4: ipv4 ?? null,
      ipv6: ipv6 ?? null,
      transit_ips,
    })
  }
}

export function addExternalIp(
  rows: NetworkRows,
  kind: 'floating' | 'ephemeral' | 'snat',
  ip: string,
  instance: string | null,
  pool = ip.includes(':') ? 'pool v6' : 'pool v4',
): void {
  rows.external_ips.push({
    id: `external ${ip}`,
    kind,
    name: kind === 'floating' ? `floating-${rows.external_ips.length}` : null,
    ip,
    ip_pool_id: pool,
    instance_id: instance === null ? null : `instance ${instance}`,
    first_port: 0,
    last_port: kind === 'snat' ? 16_383 : 65_535,
  })
}

export function addRule(
  rows: NetworkRows,
  vpc: string,
  name: string,
  rule: Partial<Omit<RuleRow, 'id' | 'name' | 'vpc_id'>>,
): void {
  rows.firewall_rules.push({
    id: `rule ${vpc} ${name}`,
    name,
    vpc_id: `vpc ${vpc}`,
    status: 'enabled',
    direction: 'inbound',
    targets: [{ type: 'vpc', value: vpc }],
    filters: {},
    action: 'allow',
    priority: 100,
    ...rule,
  })
}

/** Adds a custom router with routes and attaches it to subnets. */
export function addRouter(
  rows: NetworkRows,
  vpc: string,
  name: string,
  subnets: string[],
  routes: Pick<NetworkRows['routes'][number], 'name' | 'destination' | 'target'>[],
): void {
  const id = `router ${vpc} ${name}`
  rows.routers.push({ id, name, vpc_id: `vpc ${vpc}`, kind: 'custom' })
  for (const route of routes) {
    rows.routes.push({ id: `${id} ${route.name}`, vpc_router_id: id, kind: 'custom', ...route })
  }
  for (const subnet of rows.subnets) {
    if (subnet.vpc_id === `vpc ${vpc}` && subnets.includes(subnet.name)) {
      subnet.custom_router_id = id
    }
  }
}

/** The default rules of a new VPC. */
export function addDefaultRules(rows: NetworkRows, vpc: string): void {
  const priority = 65_534
  addRule(rows, vpc, 'allow-internal-inbound', {
    priority,
    filters: { hosts: [{ type: 'vpc', value: vpc }] },
  })
  addRule(rows, vpc, 'allow-ssh', {
    priority,
    filters: { protocols: [{ type: 'tcp' }], ports: ['22'] },
  })
  addRule(rows, vpc, 'allow-icmp', {
    priority,
    filters: { protocols: [{ type: 'icmp', value: null }] },
  })
}

/**
 * A bastion with a floating IP in a public subnet, and a database in a private one with a SNAT
 * address only.
 */
export function bastionWorld(): NetworkRows {
  const rows = emptyRows()
  addVpc(rows, 'shop')
  addSubnet(rows, 'shop', 'public', ['172.30.0.0/22', 'fd00:1:0:1::/64'])
  addSubnet(rows, 'shop', 'private', ['172.30.4.0/22', 'fd00:1:0:2::/64'])
  addInstance(rows, 'shop', 'bastion', [
    { subnet: 'public', ipv4: '172.30.0.5', ipv6: 'fd00:1:0:1::5' },
  ])
  addInstance(rows, 'shop', 'db', [
    { subnet: 'private', ipv4: '172.30.4.5', ipv6: 'fd00:1:0:2::5' },
  ])
  addExternalIp(rows, 'floating', '198.51.100.7', 'bastion')
  addExternalIp(rows, 'snat', '198.51.100.9', 'bastion')
  addExternalIp(rows, 'snat', '198.51.100.10', 'db')
  rows.pool_ranges.push({ first: '198.51.100.0', last: '198.51.100.255' })
  addRule(rows, 'shop', 'allow-ssh', {
    targets: [{ type: 'subnet', value: 'public' }],
    filters: { protocols: [{ type: 'tcp' }], ports: ['22'] },
  })
  addRule(rows, 'shop', 'postgres-from-bastion', {
    targets: [{ type: 'instance', value: 'db' }],
    filters: {
      hosts: [{ type: 'instance', value: 'bastion' }],
      protocols: [{ type: 'tcp' }],
      ports: ['5432'],
    },
  })
  return rows
}
