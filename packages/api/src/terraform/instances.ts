/** Instances, their attachments and their groups. */
import type {
  ExternalIpCreate,
  InstanceCreate,
  InstanceNetworkInterfaceCreate,
  PoolSelector,
  PrivateIpStackCreate,
} from '../client/index.ts'
import type { Configuration } from './configuration.ts'
import type { Hcl } from './hcl.ts'
import {
  type Writers,
  existingRemark,
  changeInstance,
  removed,
  deletion,
  contentsOf,
  diskResource,
} from './shared.ts'

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

function nic(project: string, each: InstanceNetworkInterfaceCreate, to: Configuration): Hcl {
  const { name, description, vpcName, subnetName } = each
  const subnet = { project_name: project, vpc_name: vpcName, name: subnetName }
  const made = to.madeNamed('oxide_vpc_subnet', subnetName, vpcName)
  const of = (attribute: string) =>
    vpcName && subnetName ? to.read('oxide_vpc_subnet', subnetName, subnet, attribute) : null
  return {
    name,
    description,
    vpc_id: to.madeNamed('oxide_vpc_subnet', subnetName, vpcName, 'vpc_id') ?? of('vpc_id'),
    subnet_id: made ?? of('id'),
    ip_config: ipConfig(each.ipConfig ?? bothStacks, to),
  }
}

function nics(project: string, { name, networkInterfaces }: InstanceCreate, to: Configuration) {
  const interfaces = networkInterfaces ?? { type: 'default_dual_stack' }
  if (interfaces.type === 'none') return undefined
  if (interfaces.type === 'create') return interfaces.params.map((each) => nic(project, each, to))
  const single = { default_ipv4: 'v4', default_ipv6: 'v6', default_dual_stack: undefined } as const
  const version = single[interfaces.type]
  to.note('The Terraform provider has no default network interface, so it is written out here.')
  // Matches the default interface that the control plane creates.
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
  const version = to.findCached('ipPool', selector.pool)?.ipVersion
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

/** The instance of an interface, as far as known. */
function instanceOfNic(to: Configuration, nameOrId: string): string {
  const instance = to.findCached('networkInterface', nameOrId)?.instanceId
  return typeof instance === 'string' ? instance : ''
}

export const instances: Writers = {
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
        existingRemark('groups'),
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
      disk_attachments: [existingRemark('disks'), to.idOf('disk', body.disk, query?.project)],
    }),
  instanceDiskDetach: ({ path, body }, to) =>
    removed(
      to,
      `the disk “${to.nameOf('disk', body.disk)}”`,
      `disk_attachments of the oxide_instance of “${to.nameOf('instance', path.instance)}”`,
    ),
  instanceEphemeralIpAttach: ({ path, body }, to) =>
    changeInstance(to, path.instance, {
      external_ips: { ephemeral: [existingRemark('addresses'), ephemeral(body.poolSelector, to)] },
    }),
  instanceEphemeralIpDetach: ({ path, query }, to) =>
    removed(
      to,
      `the ephemeral ${query?.ipVersion ?? 'IP'} address`,
      `external_ips of the oxide_instance of “${to.nameOf('instance', path.instance)}”`,
    ),
  instanceNetworkInterfaceCreate: ({ query, body }, to) =>
    changeInstance(to, query.instance, {
      network_interfaces: [existingRemark('interfaces'), nic(query.project ?? '', body, to)],
    }),
  instanceNetworkInterfaceUpdate: ({ path, body: { name, description, primary } }, to) => {
    if (primary)
      return to.note(
        'The Terraform provider has no attribute for this: which interface is primary can only be read.',
      )
    to.note('The Terraform provider has no attribute for transit IPs.')
    return changeInstance(to, instanceOfNic(to, path.interface), {
      network_interfaces: [
        existingRemark('other interfaces'),
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
}
