/** What a change of a network would open and close, before it is made. */
import type { Wire } from '@steading/api'
import {
  firewallRulesRefusal,
  NETWORK_CHANGE_LIMITS,
  questionProblems as problems,
  routeCannotChange,
  routeCannotDelete,
  routeProblem,
  routerCannotTakeRoutes,
} from '@steading/api/rules'
import { type Changes, compareNetworks, compile, type NetworkRows } from '@steading/network'
import { breathe } from '../../kernel/breathe.ts'
import { fail, refuseIf } from '../../kernel/errors.ts'
import { ifNamed, type Looker, lookup } from '../../kernel/lookup.ts'
import { readNetwork } from './rows.ts'

type Planner = Looker<'vpc' | 'vpc_subnet' | 'vpc_router' | 'router_route' | 'network_interface'>

interface Selectors {
  project?: string
  vpc?: string
  router?: string
  instance?: string
}

/** The VPC that a change is about, and what the rows are like after it. */
interface Plan {
  vpcId: string
  apply: (rows: NetworkRows) => NetworkRows
}

/** A parameter that the change needs. */
function needed(selectors: Selectors, parameter: keyof Selectors): string {
  const value = selectors[parameter]
  if (!value) throw fail.invalidRequest(problems.missing(parameter))
  return value
}

const refuse = (refusal: { api: string } | undefined): void => {
  if (refusal) throw fail.invalidRequest(refusal.api)
}

async function planRules(
  planner: Planner,
  { project, ...selectors }: Selectors,
  { rules }: Wire.VpcFirewallRuleUpdateParams,
): Promise<Plan> {
  const selector = needed(selectors, 'vpc')
  const vpc = await lookup(planner, 'vpc', selector, ifNamed(selector, { project }))
  refuseIf(firewallRulesRefusal(rules, vpc.name))
  const firewall_rules = rules.map((rule) => ({ ...rule, id: rule.name, vpc_id: vpc.id }))
  return { vpcId: vpc.id, apply: (rows) => ({ ...rows, firewall_rules }) }
}

/** @throws ApiError 400 for a route that cannot be */
function requireRoute(
  kind: Wire.RouterRouteKind,
  { destination, target }: Pick<Wire.RouterRouteCreate, 'destination' | 'target'>,
): void {
  const problem = routeProblem(kind === 'default' ? 'default' : 'custom', destination, target)
  if (problem) throw fail.invalidRequest(problem)
}

async function planNewRoute(
  planner: Planner,
  { project, vpc, ...selectors }: Selectors,
  { name, destination, target }: Wire.RouterRouteCreate,
): Promise<Plan> {
  const selector = needed(selectors, 'router')
  const router = await lookup(planner, 'vpc_router', selector, ifNamed(selector, { project, vpc }))
  refuse(routerCannotTakeRoutes(router.kind))
  requireRoute('custom', { destination, target })
  const route = { id: name, name, vpc_router_id: router.id, kind: 'custom' as const }
  return {
    vpcId: router.vpc_id,
    apply: (rows) => ({ ...rows, routes: [...rows.routes, { ...route, destination, target }] }),
  }
}

/** @param update null to delete the route */
async function planRoute(
  planner: Planner,
  { project, vpc, router }: Selectors,
  selector: string,
  update: Wire.RouterRouteUpdate | null,
): Promise<Plan> {
  const parents = ifNamed(selector, { project, vpc, vpc_router: router })
  const route = await lookup(planner, 'router_route', selector, parents)
  const { vpc_id } = await lookup(planner, 'vpc_router', route.vpc_router_id)
  refuse(update ? routeCannotChange(route.kind) : routeCannotDelete(route.kind))
  if (update) requireRoute(route.kind, update)
  return {
    vpcId: vpc_id,
    apply: (rows) => ({
      ...rows,
      routes: rows.routes.flatMap((one) => {
        if (one.id !== route.id) return [one]
        if (!update) return []
        const { destination, target } = update
        return [{ ...one, name: update.name ?? one.name, destination, target }]
      }),
    }),
  }
}

async function planSubnetRouter(
  planner: Planner,
  { project, vpc }: Selectors,
  change: Wire.NetworkChange & { type: 'subnet_router' },
): Promise<Plan> {
  const subnet = await lookup(
    planner,
    'vpc_subnet',
    change.subnet,
    ifNamed(change.subnet, { project, vpc }),
  )
  let custom_router_id: string | null = null
  if (change.custom_router) {
    const { custom_router: selector } = change
    const router = await lookup(
      planner,
      'vpc_router',
      selector,
      ifNamed(selector, { vpc: subnet.vpc_id }),
    )
    if (router.vpc_id !== subnet.vpc_id) throw fail.invalidRequest(problems.otherVpc)
    custom_router_id = router.id
  }
  return {
    vpcId: subnet.vpc_id,
    apply: (rows) => ({
      ...rows,
      subnets: rows.subnets.map((one) =>
        one.id === subnet.id ? { ...one, custom_router_id } : one,
      ),
    }),
  }
}

/** @param update null to delete the interface */
async function planInterface(
  planner: Planner,
  { project, instance }: Selectors,
  selector: string,
  update: { primary: boolean; transit_ips: string[] } | null,
): Promise<Plan> {
  const parents = ifNamed(selector, { project, instance })
  const nic = await lookup(planner, 'network_interface', selector, parents)
  return {
    vpcId: nic.vpc_id,
    apply: (rows) => ({
      ...rows,
      interfaces: rows.interfaces.flatMap((one) => {
        if (one.instance_id !== nic.instance_id) return [one]
        if (one.id !== nic.id) return [update?.primary ? { ...one, primary: false } : one]
        if (!update) return []
        const { transit_ips } = update
        return [{ ...one, transit_ips, primary: one.primary || update.primary }]
      }),
    }),
  }
}

function planOf(planner: Planner, selectors: Selectors, change: Wire.NetworkChange): Promise<Plan> {
  switch (change.type) {
    case 'firewall_rules':
      return planRules(planner, selectors, change.update)
    case 'route_create':
      return planNewRoute(planner, selectors, change.create)
    case 'route_update':
      return planRoute(planner, selectors, change.route, change.update)
    case 'route_delete':
      return planRoute(planner, selectors, change.route, null)
    case 'subnet_router':
      return planSubnetRouter(planner, selectors, change)
    case 'network_interface_update':
      return planInterface(planner, selectors, change.interface, change)
    case 'network_interface_delete':
      return planInterface(planner, selectors, change.interface, null)
  }
}

/** Compares the network of a VPC with what it would be after a change. */
export async function changesOf(
  planner: Planner,
  selectors: Selectors,
  change: Wire.NetworkChange,
): Promise<Changes> {
  const { vpcId, apply } = await planOf(planner, selectors, change)
  const rows = await readNetwork(planner.db, { vpcs: [vpcId] })
  const work = compareNetworks(compile(rows), compile(apply(rows)), vpcId, NETWORK_CHANGE_LIMITS)
  for (;;) {
    const step = work.next()
    if (step.done) return step.value
    await breathe()
  }
}
