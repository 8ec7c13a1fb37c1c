/** Networks of projects, and their external addresses and subnets. */
import type { Args, VpcFirewallRuleTarget, VpcFirewallRuleUpdate } from '../client/index.ts'
import { isUuid } from '../rules.ts'
import type { Configuration } from './configuration.ts'
import type { Hcl } from './hcl.ts'
import {
  type Writers,
  existingRemark,
  changeInstance,
  removed,
  deletion,
  cachedId,
} from './shared.ts'

const NO_ROUTER = 'The Terraform provider has no attribute for the custom router of a subnet.'

/** Omits an empty list of filters. */
const ifAny = <T>(items: readonly T[] | null | undefined, each: (item: T) => Hcl) =>
  items?.length ? items.map(each) : undefined

const firewallHost = ({ type, value }: VpcFirewallRuleTarget): Hcl => ({ type, value })

const firewallRule = ({ filters, targets, ...rule }: VpcFirewallRuleUpdate): Hcl => ({
  name: rule.name,
  description: rule.description,
  status: rule.status,
  direction: rule.direction,
  action: rule.action,
  priority: rule.priority,
  targets: targets.map(firewallHost),
  filters: {
    hosts: ifAny(filters.hosts, firewallHost),
    ports: ifAny(filters.ports, (port) => port),
    protocols: ifAny(filters.protocols, (protocol) => {
      const filter = 'value' in protocol ? protocol.value : undefined
      return {
        type: protocol.type,
        icmp_type: filter?.icmpType,
        icmp_code: filter?.code ?? undefined,
      }
    }),
  },
})

const routeEnd = (end: { type: string; value?: string }): Hcl =>
  end.value === undefined ? { type: end.type } : { type: end.type, value: end.value }

/** The ID of a router given by its name or ID. */
const routerId = (
  { project, vpc, router }: Args<'vpcRouterRouteCreate'>['query'],
  to: Configuration,
): Hcl =>
  isUuid(router)
    ? (to.referenceTo(router) ?? router)
    : to.read('oxide_vpc_router', router, { project_name: project, vpc_name: vpc, name: router })

export const networking: Writers = {
  floatingIpCreate: ({ query, body: { name, description, addressAllocator } }, to) => {
    const selector = addressAllocator?.type === 'auto' ? addressAllocator.poolSelector : undefined
    to.resource('oxide_floating_ip', name, {
      project_id: to.idOf('project', query.project),
      name,
      description,
      ip: addressAllocator?.type === 'explicit' ? addressAllocator.ip : undefined,
      ip_pool_id: selector?.type === 'explicit' ? to.idOf('ipPool', selector.pool) : undefined,
      ip_version: selector?.type === 'auto' ? (selector.ipVersion ?? undefined) : undefined,
    })
  },
  floatingIpUpdate: ({ path, body }, to) =>
    to.change('oxide_floating_ip', to.nameOf('floatingIp', path.floatingIp), { ...body }),
  floatingIpDelete: ({ path }, to) =>
    deletion(to, 'oxide_floating_ip', 'floatingIp', path.floatingIp),
  floatingIpAttach: ({ path, query, body }, to) =>
    changeInstance(to, body.parent, {
      external_ips: {
        floating: [
          existingRemark('floating IPs'),
          { id: to.idOf('floatingIp', path.floatingIp, query?.project) },
        ],
      },
    }),
  floatingIpDetach: ({ path }, to) =>
    removed(
      to,
      `the floating IP “${to.nameOf('floatingIp', path.floatingIp)}”`,
      'external_ips of the oxide_instance it is attached to',
    ),
  vpcCreate: ({ query, body: { name, description, dnsName, ipv6Prefix } }, to) =>
    to.resource('oxide_vpc', name, {
      project_id: to.idOf('project', query.project),
      name,
      description,
      dns_name: dnsName,
      ipv6_prefix: ipv6Prefix ?? undefined,
    }),
  vpcUpdate: ({ path, body: { name, description, dnsName } }, to) =>
    to.change('oxide_vpc', to.nameOf('vpc', path.vpc), {
      ...(name ? { name } : {}),
      description: description ?? '',
      ...(dnsName ? { dns_name: dnsName } : {}),
    }),
  vpcSubnetCreate: ({ query, body }, to) => {
    const { name, description, ipv4Block, ipv6Block, customRouter } = body
    if (customRouter) to.note(NO_ROUTER)
    to.resource('oxide_vpc_subnet', name, {
      vpc_id: to.idOf('vpc', query.vpc, query.project),
      name,
      description,
      ipv4_block: ipv4Block,
      ipv6_block: ipv6Block ?? undefined,
    })
  },
  vpcSubnetUpdate: ({ path, body: { name, description, customRouter } }, to) => {
    if (customRouter) to.note(NO_ROUTER)
    to.change('oxide_vpc_subnet', to.nameOf('vpcSubnet', path.subnet), {
      ...(name ? { name } : {}),
      description: description ?? '',
    })
  },
  vpcSubnetDelete: ({ path }, to) => deletion(to, 'oxide_vpc_subnet', 'vpcSubnet', path.subnet),
  vpcDelete: ({ path }, to) => deletion(to, 'oxide_vpc', 'vpc', path.vpc),
  vpcFirewallRulesUpdate({ query, body: { rules = [] } }, to) {
    if (rules.some(({ filters }) => filters.protocols?.some(({ type }) => type === 'icmp6'))) {
      to.note('The provider does not know the protocol icmp6.')
    }
    to.resource('oxide_vpc_firewall_rules', to.nameOf('vpc', query.vpc), {
      vpc_id: to.idOf('vpc', query.vpc, query.project ?? undefined),
      rules: rules.map(firewallRule),
    })
  },
  externalSubnetCreate: ({ query, body: { name, description, allocator } }, to) => {
    const selector = allocator.type === 'auto' ? allocator.poolSelector : undefined
    to.resource('oxide_external_subnet', name, {
      project_id: to.idOf('project', query.project),
      name,
      description,
      ...(allocator.type === 'auto'
        ? { prefix_len: allocator.prefixLength }
        : { subnet: allocator.subnet }),
      subnet_pool_id:
        selector?.type === 'explicit' ? to.idOf('subnetPool', selector.pool) : undefined,
      ip_version: selector?.type === 'auto' ? (selector.ipVersion ?? undefined) : undefined,
    })
  },
  externalSubnetUpdate: ({ path, body }, to) =>
    to.change('oxide_external_subnet', to.nameOf('externalSubnet', path.externalSubnet), {
      ...body,
    }),
  externalSubnetDelete: ({ path }, to) =>
    deletion(to, 'oxide_external_subnet', 'externalSubnet', path.externalSubnet),
  externalSubnetAttach: ({ path, body }, to) =>
    to.resource(
      'oxide_external_subnet_attachment',
      to.nameOf('externalSubnet', path.externalSubnet),
      {
        external_subnet_id: cachedId(to, 'externalSubnet', path.externalSubnet),
        instance_id: cachedId(to, 'instance', body.instance),
      },
    ),
  externalSubnetDetach: ({ path }, to) =>
    deletion(to, 'oxide_external_subnet_attachment', 'externalSubnet', path.externalSubnet),
  vpcRouterCreate: ({ query, body: { name, description } }, to) =>
    to.resource('oxide_vpc_router', name, {
      vpc_id: to.idOf('vpc', query.vpc, query.project),
      name,
      description,
    }),
  vpcRouterUpdate: ({ path, body }, to) =>
    to.change('oxide_vpc_router', to.nameOf('vpcRouter', path.router), { ...body }),
  vpcRouterDelete: ({ path }, to) => deletion(to, 'oxide_vpc_router', 'vpcRouter', path.router),
  vpcRouterRouteCreate: ({ query, body }, to) => {
    const { name, description, destination, target } = body
    to.resource('oxide_vpc_router_route', name, {
      vpc_router_id: routerId(query, to),
      name,
      description,
      destination: routeEnd(destination),
      target: routeEnd(target),
    })
  },
  vpcRouterRouteUpdate: ({ path, body: { name, description, destination, target } }, to) =>
    to.change('oxide_vpc_router_route', to.nameOf('routerRoute', path.route), {
      ...(name ? { name } : {}),
      ...(typeof description === 'string' ? { description } : {}),
      destination: routeEnd(destination),
      target: routeEnd(target),
    }),
  vpcRouterRouteDelete: ({ path }, to) =>
    deletion(to, 'oxide_vpc_router_route', 'routerRoute', path.route),
  internetGatewayCreate: ({ query, body: { name, description } }, to) =>
    to.resource('oxide_vpc_internet_gateway', name, {
      vpc_id: to.idOf('vpc', query.vpc, query.project),
      name,
      description,
    }),
  internetGatewayDelete: ({ path, query }, to) => {
    if (query?.cascade) {
      to.note('With cascade_delete, its attachments and the routes to it are deleted as well.')
    }
    deletion(to, 'oxide_vpc_internet_gateway', 'internetGateway', path.gateway)
  },
}
