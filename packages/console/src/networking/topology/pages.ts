/** Paths of the pages of a network's things. */
import { pathTo } from '../../data/addresses.ts'
import type { Item } from './layout.ts'

interface InVpc {
  project: string
  vpc: string
}

export const vpcPage = (at: InVpc): string => pathTo('/projects/$project/vpcs/$vpc', { ...at })

export const instancePage = (project: string, instance: string): string =>
  pathTo('/projects/$project/instances/$instance/networking', { project, instance })

export const subnetPage = (at: InVpc, subnet: string): string =>
  pathTo('/projects/$project/vpcs/$vpc/subnets/$subnet/edit', { ...at, subnet })

export const routerPage = (at: InVpc, router: string): string =>
  pathTo('/projects/$project/vpcs/$vpc/routers/$router', { ...at, router })

export const gatewayPage = (at: InVpc, gateway: string): string =>
  pathTo('/projects/$project/vpcs/$vpc/internet-gateways/$gateway', { ...at, gateway })

export const rulesPage = (at: InVpc): string =>
  pathTo('/projects/$project/vpcs/$vpc/firewall-rules', { ...at })

export const rulePage = (at: InVpc, rule: string): string =>
  pathTo('/projects/$project/vpcs/$vpc/firewall-rules/$rule/edit', { ...at, rule })

/** The page of an item in the map. */
export function pageOf(project: string, item: Item): string | undefined {
  if (item.kind === 'internet' || item.kind === 'group') return undefined
  if (item.kind === 'vpc') return vpcPage({ project, vpc: item.node.name })
  const at = { project, vpc: item.vpc.name }
  switch (item.kind) {
    case 'gateway':
      return gatewayPage(at, item.node.name)
    case 'router':
      return routerPage(at, item.node.name)
    case 'subnet':
      return subnetPage(at, item.node.name)
    case 'station':
      return instancePage(project, item.node.instance)
  }
}
