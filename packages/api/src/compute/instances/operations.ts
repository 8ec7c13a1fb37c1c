import { resultsPage } from '../../schema.ts'
import { Disk, DiskPath } from '../../storage/disks/schemas.ts'
import { EphemeralIpCreate, ExternalIp } from '../../networking/external-ips/schemas.ts'
import { IpVersion } from '../../networking/ip-pools/schemas.ts'
import { SshKey } from '../../identity/ssh-keys/schemas.ts'
import {
  Instance,
  InstanceCreate,
  InstanceFailureView,
  InstanceUpdate,
  ListedInstance,
} from './schemas.ts'
import { instanceStates } from './rules.ts'
import { usual } from '../../kinds/usual.ts'

export const instanceOperations = usual('instance', { item: Instance })({
  instance_list: {},
  instance_search: {
    pages: ListedInstance,
    allColumns: [
      'name',
      'natural_name',
      'description',
      'state',
      'time_run_state_updated',
      'ncpus',
      'memory',
      'time_created',
      'time_last_auto_restarted',
    ],
    filters: { state: instanceStates },
  },
  instance_create: {
    summary: 'Create an instance, with its disks and network interfaces',
    permission: {
      project: 'create',
      disk: 'modify',
      floating_ip: 'modify',
      anti_affinity_group: 'modify',
      multicast_group: 'read',
      vpc_subnet: 'read',
      snapshot: 'read',
      image: 'read',
      silo_image: 'read',
    },
    body: InstanceCreate,
  },
  instance_view: {},
  instance_update: {
    summary: 'Resize an instance, set its boot disk or its restart policy',
    permission: { instance: 'modify', disk: 'read', multicast_group: 'read' },
    body: InstanceUpdate,
    evenIfFull: true,
  },
  instance_delete: {
    summary: 'Delete a stopped or failed instance; its disks stay',
    changes: ['disk', 'floating_ip', 'external_subnet'],
  },
  instance_start: { summary: 'Start an instance' },
  instance_stop: { summary: 'Stop an instance', evenIfFull: true },
  instance_reboot: { summary: 'Reboot a running instance' },
  instance_disk_list: {
    route: 'GET disks',
    summary: 'List the disks of an instance',
    permission: { instance: 'list' },
    pages: Disk,
  },
  instance_disk_attach: {
    route: 'POST disks/attach',
    summary: 'Attach a disk to a stopped instance',
    permission: { instance: 'modify', disk: 'modify' },
    body: DiskPath,
    answer: Disk,
  },
  instance_disk_detach: {
    route: 'POST disks/detach',
    summary: 'Detach a disk from a stopped instance',
    permission: { instance: 'modify', disk: 'modify' },
    body: DiskPath,
    evenIfFull: true,
    answer: Disk,
  },
  instance_external_ip_list: {
    route: 'GET external-ips',
    summary: 'List the external IP addresses of an instance',
    permission: { instance: 'list' },
    answer: resultsPage(ExternalIp),
  },
  instance_ephemeral_ip_attach: {
    route: 'POST external-ips/ephemeral',
    summary: 'Attach an ephemeral address to an instance',
    body: EphemeralIpCreate,
    answer: ExternalIp,
    changes: ['external_ip'],
  },
  instance_ephemeral_ip_detach: {
    route: 'DELETE external-ips/ephemeral',
    summary: 'Detach an ephemeral address from an instance',
    query: { ip_version: IpVersion.optional() },
    changes: ['external_ip'],
  },
  instance_ssh_public_key_list: {
    route: 'GET ssh-public-keys',
    summary: 'List the SSH keys an instance was created with',
    permission: { instance: 'list' },
    pages: SshKey,
  },
  instance_failure: {
    route: 'GET failure',
    extension: true,
    summary: 'Show why an instance has failed, is paused or does not boot, and its firmware',
    answer: InstanceFailureView,
  },
  instance_deletion: {},
})
