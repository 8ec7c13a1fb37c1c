import type {
  Args,
  DiskCreate,
  ExternalIpCreate,
  InstanceCreate,
  InstanceNetworkInterfaceCreate,
  MethodName,
  PoolSelector,
  PrivateIpStackCreate,
  SiloCreate,
  VpcFirewallRuleTarget,
  VpcFirewallRuleUpdate,
} from '@steading/api/client'
import { isUuid } from '@steading/api/rules'
import { Configuration, type Kind, type Known } from './configuration.ts'
import { Expression, hclQuote, printBlock, Remark, type Hcl } from './hcl.ts'
import { unmark, type Code, type Step } from './steps.ts'

type Writers = { [M in MethodName]?: (args: Args<M>, to: Configuration) => void }

const PROVIDER =
  'For the provider oxidecomputer/oxide, 0.20 or later. It signs in with an access token in OXIDE_TOKEN.'

const JOB =
  'it deletes what its configuration no longer has, one thing after the other, and does nothing else to many.'

const CREDENTIAL = 'it does not know what users are signed in with.'

const USER = 'it does not know users and groups.'
const CERTIFICATE = 'it knows certificates only as a part of a new silo.'
const POLICY = 'it has no resource for policies.'
const ATTACHED = 'it has no resource for what is attached to an internet gateway.'
const UPLINK = 'of external connectivity, it knows address lots and the settings of ports.'
const HARDWARE = 'it does not know the hardware of the rack.'
const VIEW = 'it does not know the views of this console.'

const NO_ROUTER = 'The Terraform provider has no attribute for the custom router of a subnet.'

const AUTH_SETTINGS = 'it does not know the authentication settings of a silo.'

/** Operations without a resource in the provider, and why. */
const without: { [M in MethodName]?: string } = {
  instanceStart: 'it declares what there is, and does not start instances that exist.',
  instanceStop: 'it declares what there is, and does not stop instances that exist.',
  instanceReboot: 'a reboot leaves nothing to declare.',
  authSettingsUpdate: AUTH_SETTINGS,
  imagePromote: 'images it makes stay in their project.',
  imageDemote: 'images it makes belong to a project from the start.',
  jobCreate: JOB,
  jobStart: JOB,
  viewCreate: VIEW,
  viewUpdate: VIEW,
  viewDelete: VIEW,
  internetGatewayIpPoolCreate: ATTACHED,
  internetGatewayIpPoolDelete: ATTACHED,
  internetGatewayIpAddressCreate: ATTACHED,
  internetGatewayIpAddressDelete: ATTACHED,
  sledSetProvisionPolicy: HARDWARE,
  sledExpunge: HARDWARE,
  physicalDiskExpunge: HARDWARE,
  physicalDiskEnableAdoption: HARDWARE,
  physicalDiskDisableAdoption: HARDWARE,
  rackMembershipAddSleds: HARDWARE,
  rackMembershipAbort: HARDWARE,
  simulatedSledSetPower: HARDWARE,
  simulatedSledInsert: HARDWARE,
  certificateCreate: CERTIFICATE,
  networkingLoopbackAddressCreate: UPLINK,
  networkingLoopbackAddressDelete: UPLINK,
  networkingBgpConfigCreate: UPLINK,
  networkingBgpConfigUpdate: UPLINK,
  networkingBgpConfigDelete: UPLINK,
  networkingBgpAnnounceSetUpdate: UPLINK,
  networkingBgpAnnounceSetDelete: UPLINK,
  networkingBfdEnable: UPLINK,
  networkingBfdDisable: UPLINK,
  networkingInboundIcmpUpdate: UPLINK,
  systemNetworkingSettingsUpdate: UPLINK,
  systemPolicyUpdate: POLICY,
  policyUpdate: POLICY,
  siloPolicyUpdate: POLICY,
  projectPolicyUpdate: POLICY,
  certificateDelete: CERTIFICATE,
  localIdpUserCreate: USER,
  localIdpUserSetPassword: USER,
  localIdpUserDelete: USER,
  userLogout: CREDENTIAL,
  groupCreate: USER,
  groupDelete: USER,
  groupMembersUpdate: USER,
  currentUserPasswordUpdate: CREDENTIAL,
  currentUserAccessTokenDelete: CREDENTIAL,
  currentUserSessionDelete: CREDENTIAL,
  currentUserSessionDeleteOthers: CREDENTIAL,
  scimTokenCreate: CREDENTIAL,
  scimTokenDelete: CREDENTIAL,
}

/** An empty list of filters is none. */
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

const existing = (wanted: string) => new Remark(`# the ${wanted} there are, and:`)

function diskResource(to: Configuration, project: string, disk: DiskCreate): void {
  const { name, description, size, diskBackend } = disk
  const common = { project_id: to.idOf('project', project), name, description, size }
  if (diskBackend.type === 'local') {
    return to.resource('oxide_disk', name, { ...common, disk_type: 'local' })
  }
  const source = diskBackend.diskSource
  if (source.type === 'image' || source.type === 'snapshot') {
    return to.resource('oxide_disk', name, {
      ...common,
      ...(source.type === 'image'
        ? { source_image_id: to.idOf('image', source.imageId) }
        : { source_snapshot_id: to.idOf('snapshot', source.snapshotId) }),
      read_only: source.readOnly || undefined,
    })
  }
  if (source.type === 'importing_blocks') {
    return to.note('The Terraform provider has no resource for writing a file to a disk.')
  }
  return to.resource('oxide_disk', name, { ...common, block_size: source.blockSize })
}

const address = (
  { ip, transitIps = [] }: { ip: { type: string; value?: string }; transitIps?: string[] },
  to: Configuration,
) => {
  if (transitIps.length > 0) to.note('The Terraform provider has no attribute for transit IPs.')
  return { ip: ip.value ?? 'auto' }
}

function ipConfig(config: PrivateIpStackCreate, to: Configuration): Hcl {
  if (config.type !== 'dual_stack') return { [config.type]: address(config.value, to) }
  return { v4: address(config.value.v4, to), v6: address(config.value.v6, to) }
}

const automatic = { ip: { type: 'auto' as const } }
const bothStacks: PrivateIpStackCreate = {
  type: 'dual_stack',
  value: { v4: automatic, v6: automatic },
}

const routeEnd = (end: { type: string; value?: string }): Hcl =>
  end.value === undefined ? { type: end.type } : { type: end.type, value: end.value }

/** The ID of the router that a call names by its name or ID. */
const routerId = (
  { project, vpc, router }: Args<'vpcRouterRouteCreate'>['query'],
  to: Configuration,
): Hcl =>
  isUuid(router)
    ? router
    : to.read('oxide_vpc_router', router, { project_name: project, vpc_name: vpc, name: router })

function nic(project: string, each: InstanceNetworkInterfaceCreate, to: Configuration): Hcl {
  const { name, description, vpcName, subnetName } = each
  const subnet = { project_name: project, vpc_name: vpcName, name: subnetName }
  const of = (attribute: string) =>
    vpcName && subnetName ? to.read('oxide_vpc_subnet', subnetName, subnet, attribute) : null
  return {
    name,
    description,
    vpc_id: of('vpc_id'),
    subnet_id: of('id'),
    ip_config: ipConfig(each.ipConfig ?? bothStacks, to),
  }
}

function nics(project: string, { name, networkInterfaces }: InstanceCreate, to: Configuration) {
  const wanted = networkInterfaces ?? { type: 'default_dual_stack' }
  if (wanted.type === 'none') return undefined
  if (wanted.type === 'create') return wanted.params.map((each) => nic(project, each, to))
  const single = { default_ipv4: 'v4', default_ipv6: 'v6', default_dual_stack: undefined } as const
  const version = single[wanted.type]
  to.note('The Terraform provider has no default network interface, so it is written out here.')
  // What the control plane creates for the default.
  const made: InstanceNetworkInterfaceCreate = {
    name: 'net0',
    description: `default primary interface for ${name}`,
    vpcName: 'default',
    subnetName: 'default',
    ipConfig: version ? { type: version, value: automatic } : bothStacks,
  }
  return [nic(project, made, to)]
}

function ephemeral(selector: PoolSelector | undefined, to: Configuration): Hcl {
  if (selector?.type !== 'explicit') return { ip_version: selector?.ipVersion ?? undefined }
  const version = to.known('ipPool', selector.pool)?.ipVersion
  return {
    ip_version: typeof version === 'string' ? version : undefined,
    pool_id: to.idOf('ipPool', selector.pool),
  }
}

function externalIps(project: string, ips: ExternalIpCreate[], to: Configuration): Hcl | undefined {
  if (ips.length === 0) return undefined
  const some = (list: Hcl[]) => (list.length > 0 ? list : undefined)
  return {
    ephemeral: some(
      ips.flatMap((ip) => (ip.type === 'ephemeral' ? [ephemeral(ip.poolSelector, to)] : [])),
    ),
    floating: some(
      ips.flatMap((ip) =>
        ip.type === 'floating' ? [{ id: to.idOf('floatingIp', ip.floatingIp, project) }] : [],
      ),
    ),
  }
}

function contentsOf(text: string): Hcl {
  const file = unmark(text)
  return file ? new Expression(`filebase64(${hclQuote(file.name)})`) : text
}

function instanceResource(to: Configuration, project: string, body: InstanceCreate): void {
  const { name, disks = [], bootDisk, externalIps: ips = [], antiAffinityGroups = [] } = body
  const all = bootDisk ? [bootDisk, ...disks] : disks
  for (const disk of all) if (disk.type === 'create') diskResource(to, project, disk)
  const idOfDisk = (disk: string) => to.idOf('disk', disk, project)
  to.resource('oxide_instance', name, {
    project_id: to.idOf('project', project),
    name,
    description: body.description,
    hostname: body.hostname,
    ncpus: body.ncpus,
    memory: body.memory,
    boot_disk_id: bootDisk ? idOfDisk(bootDisk.name) : undefined,
    disk_attachments: all.map((disk) => idOfDisk(disk.name)),
    network_interfaces: nics(project, body, to),
    external_ips: externalIps(project, ips, to),
    ssh_public_keys: body.sshPublicKeys?.map((key) => to.idOf('sshKey', key)),
    anti_affinity_groups:
      antiAffinityGroups.length > 0
        ? antiAffinityGroups.map((group) => to.idOf('antiAffinityGroup', group, project))
        : undefined,
    auto_restart_policy: body.autoRestartPolicy ?? undefined,
    user_data: body.userData === undefined ? undefined : contentsOf(body.userData),
    start_on_create: body.start === false ? false : undefined,
  })
}

/** An instance named by a call; the provider attaches things in its resource. */
function changeInstance(
  to: Configuration,
  instance: string,
  attributes: Record<string, Hcl>,
): void {
  to.change('oxide_instance', to.nameOf('instance', instance), attributes)
  to.note('The provider stops an instance to change it, and starts it again.')
}

const removed = (to: Configuration, what: string, from: string) =>
  to.note(`Remove ${what} from ${from} in the configuration.`)

const deletion = (to: Configuration, resource: string, kind: Kind, nameOrId: string) =>
  to.note(
    `Remove the ${resource} of “${to.nameOf(kind, nameOrId)}” from the configuration. The next apply deletes it, if Terraform has made or imported it.`,
  )

/** What a link of a pool to a silo is called, which has no name itself. */
const linkName = (to: Configuration, pool: string, silo: string): string =>
  `${to.nameOf('ipPool', pool)}-${to.nameOf('silo', silo)}`
const subnetLinkName = (to: Configuration, pool: string, silo: string): string =>
  `${to.nameOf('subnetPool', pool)}-${to.nameOf('silo', silo)}`

/** The ID of something of which the provider has no data source; null if it is not known. */
const knownId = (to: Configuration, kind: Kind, nameOrId: string): string | null =>
  isUuid(nameOrId) ? nameOrId : (to.known(kind, nameOrId)?.id ?? null)

/** The instance an interface is of, as far as that is known. */
function instanceOfNic(to: Configuration, nameOrId: string): string {
  const instance = to.known('networkInterface', nameOrId)?.instanceId
  return typeof instance === 'string' ? instance : ''
}

/** A map keeps its keys, which the provider writes as the API does. */
const fleetRoles = (mapped: SiloCreate['mappedFleetRoles'] = {}): Hcl | undefined =>
  Object.keys(mapped).length > 0
    ? Object.fromEntries(
        Object.entries(mapped).map(([role, roles]) => [
          role.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
          roles,
        ]),
      )
    : undefined

function siloResource(to: Configuration, silo: SiloCreate): void {
  const { name, description, discoverable, identityMode, quotas } = silo
  to.resource('oxide_silo', name, {
    name,
    description,
    discoverable,
    identity_mode: identityMode,
    admin_group_name: silo.adminGroupName ?? undefined,
    mapped_fleet_roles: fleetRoles(silo.mappedFleetRoles),
    quotas: { ...quotas },
    tls_certificates: silo.tlsCertificates.map((each) => ({
      name: each.name,
      description: each.description,
      cert: each.cert,
      key: each.key,
      service: each.service,
    })),
  })
}

const writers: Writers = {
  projectCreate: ({ body }, to) => to.resource('oxide_project', body.name, { ...body }),
  projectUpdate: ({ path, body }, to) =>
    to.change('oxide_project', to.nameOf('project', path.project), { ...body }),
  projectDelete: ({ path }, to) => deletion(to, 'oxide_project', 'project', path.project),

  currentUserSshKeyCreate: ({ body: { name, description, publicKey } }, to) =>
    to.resource('oxide_ssh_key', name, { name, description, public_key: publicKey }),
  currentUserSshKeyDelete: ({ path }, to) => deletion(to, 'oxide_ssh_key', 'sshKey', path.sshKey),

  diskCreate: ({ query, body }, to) => diskResource(to, query.project, body),
  diskDelete: ({ path }, to) => deletion(to, 'oxide_disk', 'disk', path.disk),

  snapshotCreate: ({ query, body: { name, description, disk } }, to) =>
    to.resource('oxide_snapshot', name, {
      project_id: to.idOf('project', query.project),
      name,
      description,
      disk_id: to.idOf('disk', disk, query.project),
    }),
  snapshotDelete: ({ path }, to) => deletion(to, 'oxide_snapshot', 'snapshot', path.snapshot),

  imageCreate: ({ query, body: { name, description, os, version, source } }, to) =>
    to.resource('oxide_image', name, {
      project_id: query?.project ? to.idOf('project', query.project) : null,
      name,
      description,
      os,
      version,
      source_snapshot_id: source.type === 'snapshot' ? to.idOf('snapshot', source.id) : null,
    }),
  imageDelete: ({ path }, to) => deletion(to, 'oxide_image', 'image', path.image),

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
          existing('floating IPs'),
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
        external_subnet_id: knownId(to, 'externalSubnet', path.externalSubnet),
        instance_id: knownId(to, 'instance', body.instance),
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
      to.note('With cascade_delete, what is attached to it and the routes to it go along.')
    }
    deletion(to, 'oxide_vpc_internet_gateway', 'internetGateway', path.gateway)
  },

  antiAffinityGroupCreate: ({ query, body: { name, description, policy } }, to) =>
    to.resource('oxide_anti_affinity_group', name, {
      project_id: to.idOf('project', query.project),
      name,
      description,
      policy,
    }),
  antiAffinityGroupUpdate: ({ path, body }, to) =>
    to.change('oxide_anti_affinity_group', to.nameOf('antiAffinityGroup', path.antiAffinityGroup), {
      ...body,
    }),
  antiAffinityGroupDelete: ({ path }, to) =>
    deletion(to, 'oxide_anti_affinity_group', 'antiAffinityGroup', path.antiAffinityGroup),
  antiAffinityGroupMemberInstanceAdd: ({ path, query }, to) =>
    changeInstance(to, path.instance, {
      anti_affinity_groups: [
        existing('groups'),
        to.idOf('antiAffinityGroup', path.antiAffinityGroup, query?.project),
      ],
    }),
  antiAffinityGroupMemberInstanceDelete: ({ path }, to) =>
    removed(
      to,
      `the group “${to.nameOf('antiAffinityGroup', path.antiAffinityGroup)}”`,
      `anti_affinity_groups of the oxide_instance of “${to.nameOf('instance', path.instance)}”`,
    ),

  instanceCreate: ({ query, body }, to) => instanceResource(to, query.project, body),
  instanceUpdate: ({ path, query, body }, to) =>
    changeInstance(to, path.instance, {
      ncpus: body.ncpus,
      memory: body.memory,
      boot_disk_id: body.bootDisk ? to.idOf('disk', body.bootDisk, query?.project) : null,
      auto_restart_policy: body.autoRestartPolicy,
      ...(body.cpuPlatform ? { cpu_platform: body.cpuPlatform } : {}),
      ...(body.enableJumboFrames ? { enable_jumbo_frames: true } : {}),
    }),
  instanceDelete: ({ path }, to) => deletion(to, 'oxide_instance', 'instance', path.instance),
  instanceDiskAttach: ({ path, query, body }, to) =>
    changeInstance(to, path.instance, {
      disk_attachments: [existing('disks'), to.idOf('disk', body.disk, query?.project)],
    }),
  instanceDiskDetach: ({ path, body }, to) =>
    removed(
      to,
      `the disk “${to.nameOf('disk', body.disk)}”`,
      `disk_attachments of the oxide_instance of “${to.nameOf('instance', path.instance)}”`,
    ),
  instanceEphemeralIpAttach: ({ path, body }, to) =>
    changeInstance(to, path.instance, {
      external_ips: { ephemeral: [existing('addresses'), ephemeral(body.poolSelector, to)] },
    }),
  instanceEphemeralIpDetach: ({ path, query }, to) =>
    removed(
      to,
      `the ephemeral ${query?.ipVersion ?? 'IP'} address`,
      `external_ips of the oxide_instance of “${to.nameOf('instance', path.instance)}”`,
    ),

  instanceNetworkInterfaceCreate: ({ query, body }, to) =>
    changeInstance(to, query.instance, {
      network_interfaces: [existing('interfaces'), nic(query.project ?? '', body, to)],
    }),
  instanceNetworkInterfaceUpdate: ({ path, body: { name, description, primary } }, to) => {
    if (primary)
      return to.note(
        'The Terraform provider has no attribute for this: which interface is primary can only be read.',
      )
    to.note('The Terraform provider has no attribute for transit IPs.')
    return changeInstance(to, instanceOfNic(to, path.interface), {
      network_interfaces: [
        existing('other interfaces'),
        { ...(name ? { name } : {}), description: description ?? '' },
      ],
    })
  },
  instanceNetworkInterfaceDelete: ({ path }, to) =>
    removed(
      to,
      `the interface “${to.nameOf('networkInterface', path.interface)}”`,
      'network_interfaces of its oxide_instance',
    ),

  siloCreate: ({ body }, to) => siloResource(to, body),
  samlIdentityProviderCreate: ({ query, body }, to) => {
    const { idpMetadataSource: source, signingKeypair: pair } = body
    to.resource('oxide_silo_saml_identity_provider', body.name, {
      silo: to.idOf('silo', query.silo),
      name: body.name,
      description: body.description,
      technical_contact_email: body.technicalContactEmail,
      sp_client_id: body.spClientId,
      acs_url: body.acsUrl,
      slo_url: body.sloUrl,
      idp_entity_id: body.idpEntityId,
      group_attribute_name: body.groupAttributeName ?? undefined,
      idp_metadata_source:
        source.type === 'url'
          ? { ...source }
          : { type: source.type, data: contentsOf(source.data) },
      signing_keypair: pair
        ? { public_cert: contentsOf(pair.publicCert), private_key: contentsOf(pair.privateKey) }
        : undefined,
    })
  },
  siloDelete: ({ path }, to) => deletion(to, 'oxide_silo', 'silo', path.silo),
  siloQuotasUpdate: ({ path, body: { cpus, memory, storage } }, to) =>
    to.change('oxide_silo', to.nameOf('silo', path.silo), {
      quotas: { cpus: cpus ?? null, memory: memory ?? null, storage: storage ?? null },
    }),

  systemIpPoolCreate: ({ body: { name, description, ipVersion } }, to) =>
    to.resource('oxide_ip_pool', name, { name, description, ip_version: ipVersion }),
  systemIpPoolUpdate: ({ path, body }, to) =>
    to.change('oxide_ip_pool', to.nameOf('ipPool', path.pool), { ...body }),
  systemIpPoolDelete: ({ path }, to) => deletion(to, 'oxide_ip_pool', 'ipPool', path.pool),
  systemIpPoolRangeAdd: ({ path, body }, to) =>
    to.change('oxide_ip_pool', to.nameOf('ipPool', path.pool), {
      ranges: [existing('ranges'), { first_address: body.first, last_address: body.last }],
    }),
  systemIpPoolRangeRemove: ({ path, body }, to) =>
    removed(
      to,
      `the range from ${body.first} to ${body.last}`,
      `ranges of the oxide_ip_pool “${to.nameOf('ipPool', path.pool)}”`,
    ),
  systemIpPoolSiloLink: ({ path, body }, to) =>
    to.resource('oxide_ip_pool_silo_link', linkName(to, path.pool, body.silo), {
      ip_pool_id: to.idOf('ipPool', path.pool),
      silo_id: to.idOf('silo', body.silo),
      is_default: body.isDefault,
    }),
  systemIpPoolSiloUpdate: ({ path, body }, to) =>
    to.change('oxide_ip_pool_silo_link', linkName(to, path.pool, path.silo), {
      is_default: body.isDefault,
    }),
  networkingAddressLotCreate: ({ body: { name, description, kind, blocks } }, to) =>
    to.resource('oxide_address_lot', name, {
      name,
      description,
      kind,
      blocks: blocks.map(({ firstAddress, lastAddress }) => ({
        first_address: firstAddress,
        last_address: lastAddress,
      })),
    }),
  networkingAddressLotDelete: ({ path }, to) =>
    deletion(to, 'oxide_address_lot', 'addressLot', path.addressLot),
  systemSubnetPoolCreate: ({ body: { name, description, ipVersion } }, to) =>
    to.resource('oxide_system_subnet_pool', name, { name, description, ip_version: ipVersion }),
  systemSubnetPoolUpdate: ({ path, body }, to) =>
    to.change('oxide_system_subnet_pool', to.nameOf('subnetPool', path.pool), { ...body }),
  systemSubnetPoolDelete: ({ path }, to) =>
    deletion(to, 'oxide_system_subnet_pool', 'subnetPool', path.pool),
  systemSubnetPoolMemberAdd: ({ path, body }, to) => {
    to.resource('oxide_system_subnet_pool_member', body.subnet, {
      pool: to.nameOf('subnetPool', path.pool),
      subnet: body.subnet,
    })
    if ((body.minPrefixLength ?? body.maxPrefixLength) !== undefined) {
      to.note('The Terraform provider has no attributes for the lengths of prefixes.')
    }
  },
  systemSubnetPoolMemberRemove: ({ body }, to) =>
    to.note(
      `Remove the oxide_system_subnet_pool_member of ${body.subnet} from the configuration. The next apply deletes it, if Terraform has made or imported it.`,
    ),
  systemSubnetPoolSiloLink: ({ path, body }, to) =>
    to.resource('oxide_system_subnet_pool_silo_link', subnetLinkName(to, path.pool, body.silo), {
      pool: to.nameOf('subnetPool', path.pool),
      silo: to.nameOf('silo', body.silo),
      is_default: body.isDefault,
    }),
  systemSubnetPoolSiloUpdate: ({ path, body }, to) =>
    to.change('oxide_system_subnet_pool_silo_link', subnetLinkName(to, path.pool, path.silo), {
      is_default: body.isDefault,
    }),
  systemSubnetPoolSiloUnlink: ({ path }, to) =>
    to.note(
      `Remove the oxide_system_subnet_pool_silo_link of the pool “${to.nameOf('subnetPool', path.pool)}” and the silo “${to.nameOf('silo', path.silo)}” from the configuration. The next apply deletes it, if Terraform has made or imported it.`,
    ),
  systemIpPoolSiloUnlink: ({ path }, to) =>
    to.note(
      `Remove the oxide_ip_pool_silo_link of the pool “${to.nameOf('ipPool', path.pool)}” and the silo “${to.nameOf('silo', path.silo)}” from the configuration. The next apply deletes it, if Terraform has made or imported it.`,
    ),
}

/** The resources of the public provider of this API; where it has none, a note says so. */
export function terraform(steps: readonly Step[], known: Known): Code {
  const to = new Configuration(known)
  if (steps.some(({ operation }) => operation === 'writeFile')) {
    to.note(
      'The Terraform provider has no resource for this: it cannot upload a file. Upload the image here or with the other code; Terraform can then use it with data "oxide_image".',
    )
    return { text: '', notes: to.notes }
  }
  for (const step of steps) write(step, to)
  const text = to.blocks().map(printBlock).join('\n\n')
  return { text, notes: text ? [PROVIDER, ...to.notes] : to.notes }
}

function write(step: Step, to: Configuration): void {
  if (step.operation === 'writeFile' || step.operation === 'awaitFinalized') return
  const reason = without[step.operation]
  const writer = writers[step.operation] as ((args: unknown, to: Configuration) => void) | undefined
  if (writer) writer(step.args, to)
  else to.note(`The Terraform provider has no resource for this${reason ? `: ${reason}` : '.'}`)
}
