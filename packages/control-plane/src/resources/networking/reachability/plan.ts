/** The effects of a planned change on the rows of a network. */
import type { Wire } from '@steading/api'
import {
  firewallRulesRefusal,
  formatAddress,
  guestAddressProblem,
  type IpVersion,
  ipVersionName,
  parseAddress,
  parseNetwork,
  questionProblems as problems,
  routeCannotChange,
  routeCannotDelete,
  routeProblem,
  routerCannotDelete,
  routerCannotTakeRoutes,
  transitIpProblem,
} from '@steading/api/rules'
import {
  type ExternalIpRow,
  lowestFreeAddress,
  type NetworkEdit,
  type NetworkRows,
} from '@steading/network'
import { fail, refuseIf } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { ifNamed, type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { addressOfKey, ipVersionOf } from '../addresses/keys.ts'
import { selectPool } from '../external-ips/pools.ts'
import { nextAddress } from '../ip-pools/addresses.ts'
import { vpcOfInstance } from './rows.ts'

/** A call that may look up the resources a change is about. */
export type PlanContext = LookupContext<
  | 'vpc'
  | 'vpc_subnet'
  | 'vpc_router'
  | 'router_route'
  | 'network_interface'
  | 'instance'
  | 'floating_ip'
  | 'external_subnet'
  | 'internet_gateway'
  | 'internet_gateway_ip_pool'
  | 'internet_gateway_ip_address'
  | 'ip_pool'
>

export interface Selectors {
  project?: string
  vpc?: string
  router?: string
  gateway?: string
  instance?: string
}

/** The VPC of a change, and the change of its rows. */
export interface Plan {
  vpcId: string
  edit: (rows: NetworkRows) => NetworkEdit
}

/** A required parameter of the change. */
function needed(selectors: Selectors, parameter: keyof Selectors): string {
  const value = selectors[parameter]
  if (!value) throw fail.invalidRequest(problems.missing(parameter))
  return value
}

const refuse = (refusal: { api: string } | undefined): void => {
  if (refusal) throw fail.invalidRequest(refusal.api)
}

async function planRules(
  context: PlanContext,
  { project, ...selectors }: Selectors,
  { rules }: Wire.VpcFirewallRuleUpdateParams,
): Promise<Plan> {
  const selector = needed(selectors, 'vpc')
  const vpc = await lookup(context, 'vpc', selector, ifNamed(selector, { project }))
  refuseIf(firewallRulesRefusal(rules, vpc.name))
  const rows = rules.map((rule) => ({ ...rule, id: rule.name, vpc_id: vpc.id }))
  return { vpcId: vpc.id, edit: () => ({ type: 'replace_rules', vpcId: vpc.id, rules: rows }) }
}

/** @throws ApiError 400 for an invalid route */
function requireRoute(
  kind: Wire.RouterRouteKind,
  { destination, target }: Pick<Wire.RouterRouteCreate, 'destination' | 'target'>,
): void {
  const problem = routeProblem(kind === 'default' ? 'default' : 'custom', destination, target)
  if (problem) throw fail.invalidRequest(problem)
}

const routerOf = (context: PlanContext, { project, vpc, ...selectors }: Selectors) => {
  const selector = needed(selectors, 'router')
  return lookup(context, 'vpc_router', selector, ifNamed(selector, { project, vpc }))
}

async function planNewRoute(
  context: PlanContext,
  selectors: Selectors,
  { name, destination, target }: Wire.RouterRouteCreate,
): Promise<Plan> {
  const router = await routerOf(context, selectors)
  refuse(routerCannotTakeRoutes(router.kind))
  requireRoute('custom', { destination, target })
  const route = { id: name, name, vpc_router_id: router.id, kind: 'custom' as const }
  return {
    vpcId: router.vpc_id,
    edit: () => ({ type: 'add_route', route: { ...route, destination, target } }),
  }
}

/** @param update null to delete the route */
async function planRoute(
  context: PlanContext,
  { project, vpc, router }: Selectors,
  selector: string,
  update: Wire.RouterRouteUpdate | null,
): Promise<Plan> {
  const parents = ifNamed(selector, { project, vpc, vpc_router: router })
  const { id, name, kind, vpc_router_id } = await lookup(context, 'router_route', selector, parents)
  const { vpc_id: vpcId } = await lookup(context, 'vpc_router', vpc_router_id)
  refuse(update ? routeCannotChange(kind) : routeCannotDelete(kind))
  if (!update) return { vpcId, edit: () => ({ type: 'remove_route', id }) }
  requireRoute(kind, update)
  const { destination, target } = update
  const to = { name: update.name ?? name, destination, target }
  return { vpcId, edit: () => ({ type: 'change_route', id, to }) }
}

async function planNoRouter(context: PlanContext, selectors: Selectors): Promise<Plan> {
  const { id, kind, vpc_id } = await routerOf(context, selectors)
  refuse(routerCannotDelete(kind))
  return { vpcId: vpc_id, edit: () => ({ type: 'remove_router', id }) }
}

async function planSubnetRouter(
  context: PlanContext,
  { project, vpc }: Selectors,
  change: Wire.NetworkChange & { type: 'subnet_router' },
): Promise<Plan> {
  const parents = ifNamed(change.subnet, { project, vpc })
  const subnet = await lookup(context, 'vpc_subnet', change.subnet, parents)
  const vpcId = subnet.vpc_id
  const selector = change.custom_router
  const router =
    selector && (await lookup(context, 'vpc_router', selector, ifNamed(selector, { vpc: vpcId })))
  if (router && router.vpc_id !== vpcId) throw fail.invalidRequest(problems.otherVpc)
  const routerId = router ? router.id : null
  return { vpcId, edit: () => ({ type: 'set_router', subnetId: subnet.id, routerId }) }
}

/** The address that a new interface gets. */
function addressIn(
  rows: NetworkRows,
  subnet: Row<'vpc_subnet'>,
  version: IpVersion,
  wanted: Wire.Ipv4Assignment | Wire.Ipv6Assignment,
): string {
  const network = parseNetwork(version === 'v4' ? subnet.ipv4_block : subnet.ipv6_block)!
  if (wanted.type === 'explicit') {
    const address = parseAddress(wanted.value)!
    const problem = guestAddressProblem(network, address)
    if (problem) throw fail.invalidRequest(problem)
    const text = formatAddress(address)
    if (
      rows.interfaces.some(
        ({ ipv4, ipv6, subnet_id }) => subnet_id === subnet.id && (ipv4 === text || ipv6 === text),
      )
    ) {
      throw fail.invalidRequest(`The IP address '${text}' is not available`)
    }
    return text
  }
  const value = lowestFreeAddress(rows, subnet, version)
  if (value === undefined) {
    throw fail.insufficientCapacity(
      `No available ${ipVersionName[version]} addresses for interface in subnet '${subnet.name}' with ID '${subnet.id}'`,
    )
  }
  return formatAddress({ version, value })
}

const instanceOf = (context: PlanContext, { project, ...selectors }: Selectors) => {
  const selector = needed(selectors, 'instance')
  return lookup(context, 'instance', selector, ifNamed(selector, { project }))
}

async function planNewInterface(
  context: PlanContext,
  selectors: Selectors,
  { name, vpc_name, subnet_name, ip_config }: Wire.InstanceNetworkInterfaceCreate,
): Promise<Plan> {
  const instance = await instanceOf(context, selectors)
  const { id: instance_id, project_id, run_state } = instance
  const subnet = await lookup(context, 'vpc_subnet', subnet_name, {
    vpc: vpc_name,
    project: project_id,
  })
  const stacks = {
    v4: ip_config.type === 'v4' ? ip_config.value : undefined,
    v6: ip_config.type === 'v6' ? ip_config.value : undefined,
    ...(ip_config.type === 'dual_stack' ? ip_config.value : {}),
  }
  const transit_ips = [...(stacks.v4?.transit_ips ?? []), ...(stacks.v6?.transit_ips ?? [])]
  const problem = transitIpProblem(transit_ips)
  if (problem) throw fail.invalidRequest(problem)
  const { id: subnet_id, vpc_id } = subnet
  const place = { instance_id, vpc_id, subnet_id, primary: false }
  return {
    vpcId: vpc_id,
    edit: (rows) => ({
      type: 'add_interface',
      instance: { id: instance_id, name: instance.name, project_id, run_state },
      interface: {
        id: crypto.randomUUID(),
        name,
        mac: '',
        ...place,
        ipv4: stacks.v4 ? addressIn(rows, subnet, 'v4', stacks.v4.ip) : null,
        ipv6: stacks.v6 ? addressIn(rows, subnet, 'v6', stacks.v6.ip) : null,
        transit_ips,
      },
    }),
  }
}

/** @param update null to delete the interface */
async function planInterface(
  context: PlanContext,
  { project, instance }: Selectors,
  selector: string,
  update: { primary: boolean; transit_ips: string[] } | null,
): Promise<Plan> {
  const parents = ifNamed(selector, { project, instance })
  const { id, vpc_id: vpcId } = await lookup(context, 'network_interface', selector, parents)
  if (!update) return { vpcId, edit: () => ({ type: 'remove_interface', id }) }
  const problem = transitIpProblem(update.transit_ips)
  if (problem) throw fail.invalidRequest(problem)
  const { primary, transit_ips: transitIps } = update
  return { vpcId, edit: () => ({ type: 'change_interface', id, primary, transitIps }) }
}

/** A plan for the VPC of an instance; without a network nothing changes. */
async function planFor(
  { db }: PlanContext,
  instanceId: string | null,
  edit: NetworkEdit,
): Promise<Plan | undefined> {
  const vpcId = instanceId === null ? undefined : await vpcOfInstance(db, instanceId)
  return vpcId === undefined ? undefined : { vpcId, edit: () => edit }
}

async function planEphemeral(
  context: PlanContext,
  selectors: Selectors,
  { pool_selector }: Wire.EphemeralIpCreate,
): Promise<Plan | undefined> {
  const { db, actor } = context
  const { id: instance_id } = await instanceOf(context, selectors)
  const pool = await selectPool(db, actor.siloId, pool_selector)
  if ((await ephemeralOf(context, instance_id, pool.ip_version)) !== undefined) return undefined
  const externalIp: ExternalIpRow = {
    id: crypto.randomUUID(),
    kind: 'ephemeral',
    name: null,
    ip: addressOfKey(await nextAddress(db, pool), pool.ip_version),
    ip_pool_id: pool.id,
    instance_id,
    first_port: 0,
    last_port: 65_535,
  }
  return planFor(context, instance_id, { type: 'attach_external_ip', externalIp })
}

/** The id of an instance's ephemeral IP, of one version or of any. */
async function ephemeralOf(
  { db }: PlanContext,
  instanceId: string,
  version: IpVersion | null,
): Promise<string | undefined> {
  const held = await db
    .selectFrom('external_ip')
    .select(['id', 'ip_key'])
    .where('instance_id', '=', instanceId)
    .where('kind', '=', 'ephemeral')
    .execute()
  return held.find((row) => version === null || ipVersionOf(row) === version)?.id
}

async function planNoEphemeral(
  context: PlanContext,
  selectors: Selectors,
  version: IpVersion | null,
): Promise<Plan | undefined> {
  const instance = await instanceOf(context, selectors)
  const id = await ephemeralOf(context, instance.id, version)
  if (id === undefined) {
    throw fail.invalidRequest('instance does not have an ephemeral IP attached')
  }
  return planFor(context, instance.id, { type: 'detach_external_ip', id })
}

const lookupFloating = (context: PlanContext, { project }: Selectors, selector: string) =>
  lookup(context, 'floating_ip', selector, ifNamed(selector, { project }))

async function planFloating(
  context: PlanContext,
  selectors: Selectors,
  { floating_ip, parent }: Wire.NetworkChange & { type: 'floating_ip_attach' },
): Promise<Plan | undefined> {
  const row = await lookupFloating(context, selectors, floating_ip)
  const inProject = ifNamed(parent, { project: row.project_id })
  const instance = await lookup(context, 'instance', parent, inProject)
  const { id, kind, name, ip, ip_pool_id, first_port, last_port } = row
  const externalIp = { id, kind, name, ip, ip_pool_id, first_port, last_port }
  return planFor(context, instance.id, {
    type: 'attach_external_ip',
    externalIp: { ...externalIp, instance_id: instance.id },
  })
}

async function planNoFloating(
  context: PlanContext,
  selectors: Selectors,
  selector: string,
): Promise<Plan | undefined> {
  const { id, instance_id } = await lookupFloating(context, selectors, selector)
  return planFor(context, instance_id, { type: 'detach_external_ip', id })
}

const lookupExternalSubnet = (context: PlanContext, { project }: Selectors, selector: string) =>
  lookup(context, 'external_subnet', selector, ifNamed(selector, { project }))

async function planExternalSubnet(
  context: PlanContext,
  selectors: Selectors,
  change: Wire.NetworkChange & { type: 'external_subnet_attach' },
): Promise<Plan | undefined> {
  const row = await lookupExternalSubnet(context, selectors, change.external_subnet)
  const selector = change.attach.instance
  const inProject = ifNamed(selector, { project: row.project_id })
  const instance = await lookup(context, 'instance', selector, inProject)
  const { id, name, subnet } = row
  return planFor(context, instance.id, {
    type: 'attach_external_subnet',
    externalSubnet: { id, name, subnet, instance_id: instance.id },
  })
}

async function planNoExternalSubnet(
  context: PlanContext,
  selectors: Selectors,
  selector: string,
): Promise<Plan | undefined> {
  const { id, instance_id } = await lookupExternalSubnet(context, selectors, selector)
  return planFor(context, instance_id, { type: 'detach_external_subnet', id })
}

const gatewayOf = (context: PlanContext, { project, vpc, ...selectors }: Selectors) => {
  const selector = needed(selectors, 'gateway')
  return lookup(context, 'internet_gateway', selector, ifNamed(selector, { project, vpc }))
}

type Attached = Pick<NetworkRows['internet_gateways'][number], 'ip_pool_ids' | 'addresses'>

/** A plan for the attachments of a gateway. */
function planGateway(
  { id, vpc_id }: Row<'internet_gateway'>,
  change: (attached: Attached) => Attached,
): Plan {
  return {
    vpcId: vpc_id,
    edit: ({ internet_gateways }) => {
      const attached = internet_gateways.find((one) => one.id === id)
      return {
        type: 'change_gateway',
        id,
        to: change({
          ip_pool_ids: attached?.ip_pool_ids ?? [],
          addresses: attached?.addresses ?? [],
        }),
      }
    },
  }
}

/** A list without one occurrence of a value; a pool may be attached under several names. */
function withoutOne(values: readonly string[], value: string): string[] {
  const at = values.indexOf(value)
  return values.filter((_, index) => index !== at)
}

const inGateway = (selector: string, { project, vpc, gateway }: Selectors) =>
  ifNamed(selector, { project, vpc, internet_gateway: gateway })

async function planNoPool(
  context: PlanContext,
  selectors: Selectors,
  selector: string,
): Promise<Plan> {
  const kind = 'internet_gateway_ip_pool'
  const attached = await lookup(context, kind, selector, inGateway(selector, selectors))
  const gateway = await lookup(context, 'internet_gateway', attached.internet_gateway_id)
  return planGateway(gateway, ({ ip_pool_ids, addresses }) => ({
    ip_pool_ids: withoutOne(ip_pool_ids, attached.ip_pool_id),
    addresses,
  }))
}

async function planNoAddress(
  context: PlanContext,
  selectors: Selectors,
  selector: string,
): Promise<Plan> {
  const kind = 'internet_gateway_ip_address'
  const attached = await lookup(context, kind, selector, inGateway(selector, selectors))
  const gateway = await lookup(context, 'internet_gateway', attached.internet_gateway_id)
  return planGateway(gateway, ({ ip_pool_ids, addresses }) => ({
    ip_pool_ids,
    addresses: withoutOne(addresses, attached.address),
  }))
}

/** @returns undefined for a change that affects no network */
export async function planOf(
  context: PlanContext,
  selectors: Selectors,
  change: Wire.NetworkChange,
): Promise<Plan | undefined> {
  switch (change.type) {
    case 'firewall_rules':
      return planRules(context, selectors, change.update)
    case 'route_create':
      return planNewRoute(context, selectors, change.create)
    case 'route_update':
      return planRoute(context, selectors, change.route, change.update)
    case 'route_delete':
      return planRoute(context, selectors, change.route, null)
    case 'router_delete':
      return planNoRouter(context, selectors)
    case 'subnet_router':
      return planSubnetRouter(context, selectors, change)
    case 'network_interface_create':
      return planNewInterface(context, selectors, change.create)
    case 'network_interface_update':
      return planInterface(context, selectors, change.interface, change)
    case 'network_interface_delete':
      return planInterface(context, selectors, change.interface, null)
    case 'ephemeral_ip_attach':
      return planEphemeral(context, selectors, change.attach)
    case 'ephemeral_ip_detach':
      return planNoEphemeral(context, selectors, change.ip_version)
    case 'floating_ip_attach':
      return planFloating(context, selectors, change)
    case 'floating_ip_detach':
      return planNoFloating(context, selectors, change.floating_ip)
    case 'external_subnet_attach':
      return planExternalSubnet(context, selectors, change)
    case 'external_subnet_detach':
      return planNoExternalSubnet(context, selectors, change.external_subnet)
    case 'internet_gateway_ip_pool_create': {
      const pool = await lookup(context, 'ip_pool', change.ip_pool)
      return planGateway(await gatewayOf(context, selectors), ({ ip_pool_ids, addresses }) => ({
        ip_pool_ids: [...ip_pool_ids, pool.id],
        addresses,
      }))
    }
    case 'internet_gateway_ip_pool_delete':
      return planNoPool(context, selectors, change.pool)
    case 'internet_gateway_ip_address_create': {
      const address = formatAddress(parseAddress(change.address)!)
      return planGateway(await gatewayOf(context, selectors), ({ ip_pool_ids, addresses }) => ({
        ip_pool_ids,
        addresses: [...addresses, address],
      }))
    }
    case 'internet_gateway_ip_address_delete':
      return planNoAddress(context, selectors, change.address)
    case 'internet_gateway_delete': {
      const { id, vpc_id } = await gatewayOf(context, selectors)
      return { vpcId: vpc_id, edit: () => ({ type: 'remove_gateway', id }) }
    }
  }
}
