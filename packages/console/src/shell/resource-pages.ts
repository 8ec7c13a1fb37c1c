import type { ResourceReference } from '@steading/api/client'
import { type ConsolePath, type ListedKind, listedKinds, kindLabels } from '@steading/api/rules'
import { pathTo } from '../data/addresses.ts'

/**
 * The page or panel of a resource, and its parameter: the name, or the ID where names are not
 * unique. Without a parameter, the page is a list.
 */
type ResourcePage = { page: ConsolePath; name?: string; id?: string }

const resourcePages: Record<ListedKind, ResourcePage> = {
  silo: { page: '/system/silos/$silo', name: 'silo' },
  project: { page: '/projects/$project/instances', name: 'project' },
  instance: { page: '/projects/$project/instances/$instance/storage', name: 'instance' },
  disk: { page: '/projects/$project/disks/$disk', name: 'disk' },
  snapshot: { page: '/projects/$project/snapshots' },
  image: { page: '/projects/$project/images/$image', name: 'image' },
  silo_image: { page: '/images/$image', name: 'image' },
  vpc: { page: '/projects/$project/vpcs/$vpc', name: 'vpc' },
  vpc_subnet: { page: '/projects/$project/vpcs/$vpc/subnets/$subnet/edit', name: 'subnet' },
  vpc_router: { page: '/projects/$project/vpcs/$vpc/routers/$router', name: 'router' },
  router_route: {
    page: '/projects/$project/vpcs/$vpc/routers/$router/routes/$route/edit',
    name: 'route',
  },
  internet_gateway: {
    page: '/projects/$project/vpcs/$vpc/internet-gateways/$gateway',
    name: 'gateway',
  },
  floating_ip: { page: '/projects/$project/floating-ips/$floatingIp/edit', name: 'floatingIp' },
  external_subnet: {
    page: '/projects/$project/external-subnets/$externalSubnet/edit',
    name: 'externalSubnet',
  },
  probe: { page: '/projects/$project/probes/$probe', name: 'probe' },
  alert_rule: { page: '/projects/$project/alert-rules/$alertRule', name: 'alertRule' },
  instance_template: {
    page: '/projects/$project/instance-templates/$template',
    name: 'template',
  },
  service_account: {
    page: '/projects/$project/service-accounts/$serviceAccount',
    id: 'serviceAccount',
  },
  saml_identity_provider: {
    page: '/system/silos/$silo/idps/saml/$provider',
    name: 'provider',
  },
  oidc_identity_provider: {
    page: '/system/silos/$silo/idps/oidc/$provider',
    name: 'provider',
  },
  silo_service_account: { page: '/service-accounts/$serviceAccount', id: 'serviceAccount' },
  silo_instance_template: { page: '/instance-templates/$template', name: 'template' },
  schedule: { page: '/projects/$project/schedules/$schedule', name: 'schedule' },
  deleted_resource: { page: '/projects/$project/deleted' },
  system_alert_rule: { page: '/system/alert-rules/$alertRule', name: 'alertRule' },
  affinity_group: {
    page: '/projects/$project/affinity-groups/$affinityGroup',
    name: 'affinityGroup',
  },
  anti_affinity_group: {
    page: '/projects/$project/affinity/$antiAffinityGroup',
    name: 'antiAffinityGroup',
  },
  system_ip_pool: { page: '/system/networking/ip-pools/$pool', name: 'pool' },
  system_subnet_pool: { page: '/system/networking/subnet-pools/$pool', name: 'pool' },
  address_lot: { page: '/system/networking/address-lots/$addressLot', name: 'addressLot' },
  bgp_config: { page: '/system/networking/bgp/$bgpConfig/edit', name: 'bgpConfig' },
  bgp_announce_set: {
    page: '/system/networking/announce-sets/$announceSet/edit',
    name: 'announceSet',
  },
  switch_port: { page: '/system/networking/switch-ports' },
  switch_port_settings: {
    page: '/system/networking/port-settings/$portSettings',
    name: 'portSettings',
  },
  sled: { page: '/system/inventory/sleds' },
  storage_pool: { page: '/system/inventory/storage-pools/$pool' },
  host: { page: '/system/inventory/hosts/$host', id: 'host' },
  physical_disk: { page: '/system/inventory/disks' },
  multicast_group: { page: '/multicast-groups/$group', name: 'group' },
  // Named after its class, which is not unique.
  alert: { page: '/system/alerts/$alert', id: 'alert' },
  alert_receiver: { page: '/system/alert-receivers/$receiver', name: 'receiver' },
  support_bundle: { page: '/system/support-bundles/$bundle', id: 'bundle' },
  ssh_key: { page: '/settings/ssh-keys/$sshKey/edit', name: 'sshKey' },
}

type Above = Pick<ResourceReference['inside'][number], 'kind' | 'name'>

/** Parameters for a resource's containers besides its project. */
const aboveParameters: Record<Above['kind'], string> = {
  silo: 'silo',
  vpc: 'vpc',
  vpc_router: 'router',
}

/** Parameters for all containers of a resource. */
export const outerParameters = ['project', ...Object.values(aboveParameters)]

export type PaletteResource = Pick<ResourceReference, 'id' | 'kind' | 'name' | 'projectName'> & {
  address?: string | null
  inside?: Above[]
}

/** The containers of a resource, innermost first: `in default, mill`. */
export const insideText = ({
  inside = [],
  projectName,
}: Pick<PaletteResource, 'inside' | 'projectName'>): string => {
  const outer = [...inside.map(({ name }) => name).toReversed(), projectName].filter(Boolean)
  return outer.length > 0 ? `in ${outer.join(', ')}` : ''
}

/**
 * A resource as an entry of the palette.
 * @returns undefined if only operators have its page, and the user is none
 */
export function entryOf(resource: PaletteResource, isOperator: boolean) {
  const { id, kind, name, projectName, address, inside = [] } = resource
  const target = resourcePages[kind]
  if (!isOperator && target.page.startsWith('/system/')) return undefined
  const around: Record<string, string> = { project: projectName ?? '' }
  for (const above of inside) around[aboveParameters[above.kind]] = above.name
  const path = target.id
    ? pathTo(target.page, { ...around, [target.id]: id })
    : target.name
      ? pathTo(target.page, { ...around, [target.name]: name })
      : `${pathTo(target.page, around)}?q=${name}`
  const where = [address, kindLabels(kind), insideText(resource)]
  return { label: name, path, detail: where.filter(Boolean).join(' ') }
}

/** Matches addresses at or below the page of a resource; the groups are its parameters. */
const below = ({ page, name }: ResourcePage): RegExp => {
  const [path] = page.split(new RegExp(`(?<=\\$${name})(?=/|$)`))
  return new RegExp(`^${path!.replaceAll(/\$(\w+)/g, '(?<$1>[a-z0-9-]+)')}(/|$)`)
}

/** The resource whose page or panel is at an address, with its parameter. */
export function resourceAt(pathname: string) {
  let longest = 0
  let thing: { kind: ListedKind; parameter: string; params: Record<string, string> } | undefined
  for (const kind of listedKinds) {
    const target = resourcePages[kind]
    if (!target.name) continue
    const match = below(target).exec(pathname)
    // Addresses of a project's disk also match the project: the longest match wins.
    if (!match || match[0].length < longest) continue
    longest = match[0].length
    thing = { kind, parameter: target.name, params: match.groups! }
  }
  return thing
}

/** A resource's containers besides its project, from the parameters of its address. */
export const insideOf = (params: Record<string, string>, parameter: string): Above[] =>
  (Object.entries(aboveParameters) as [Above['kind'], string][]).flatMap(([kind, above]) =>
    above !== parameter && params[above] ? [{ kind, name: params[above] }] : [],
  )
