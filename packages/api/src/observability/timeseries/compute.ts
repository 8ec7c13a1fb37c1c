/**
 * Time series that members of projects see: machines, disks and interfaces; and the operators' view
 * of them.
 */
import { ofProject, rack, sledWithoutRack } from './fields.ts'
import {
  address,
  counter,
  counts,
  histogram,
  signedLevel,
  type TargetDeclaration,
  text,
  traffic,
  u16,
  u32,
  uuid,
} from './vocabulary.ts'

/** States of a virtual CPU. The times of all states add up to the elapsed time. */
export const vcpuStates = ['emulation', 'run', 'idle', 'waiting'] as const
export type VcpuState = (typeof vcpuStates)[number]

export const ioKinds = ['read', 'write'] as const

const instance = { instance_id: uuid('ID of the instance') }
const failureReason = { failure_reason: text('Reason for the failure') }
const ioKind = { io_kind: text('Direction of the operation: read or write') }

export const computeTargets = [
  {
    name: 'virtual_machine',
    scope: 'project',
    description: 'The virtual machine of an instance',
    fields: { ...instance, ...ofProject, ...sledWithoutRack },
    metrics: {
      vcpu_usage: counter('nanoseconds', 'Time of a virtual CPU in a state', {
        state: text('State of the virtual CPU: emulation, run, idle or waiting'),
        vcpu_id: u32('Number of the virtual CPU'),
      }),
      ...counts({
        reset: 'Resets of the virtual machine',
        pv_panic_guest_handled: 'Panics reported by the guest and handled by it',
        pv_panic_host_handled: 'Panics reported by the guest and left to the host',
      }),
    },
  },
  {
    name: 'virtual_machine',
    scope: 'fleet',
    description: "A virtual machine, as seen by the control plane's health checks",
    fields: {
      ...rack,
      ...instance,
      ...ofProject,
      nexus_id: uuid('ID of the server of the control plane that checked'),
      vmm_id: uuid("ID of the instance's virtual machine"),
      sled_agent_id: uuid('ID of the queried sled'),
      sled_agent_ip: address('Address of the queried sled'),
      sled_agent_port: u16('Port of the queried sled'),
    },
    metrics: {
      ...counts(
        { check: 'Health checks of the virtual machine by their result' },
        {
          state: text('State of the machine at the check'),
          reason: text('Reason for the state of the machine'),
        },
      ),
      ...counts({ incomplete_check: 'Health checks without a result' }, failureReason),
    },
  },
  {
    name: 'virtual_disk',
    scope: 'project',
    description: 'A disk that is attached to an instance',
    fields: {
      attached_instance_id: uuid('ID of the instance that the disk is attached to'),
      disk_id: uuid('ID of the disk'),
      ...ofProject,
      block_size: u32('Size of a block of the disk, in bytes'),
    },
    metrics: {
      bytes_read: counter('bytes', 'Bytes read from the disk'),
      bytes_written: counter('bytes', 'Bytes written to the disk'),
      bytes_discarded: counter('bytes', 'Discarded bytes of the disk'),
      ...counts({
        reads: 'Successful reads from the disk',
        writes: 'Successful writes to the disk',
        discards: 'Successful discards',
        flushes: 'Successful flushes of the disk',
      }),
      ...counts(
        {
          failed_reads: 'Failed reads from the disk',
          failed_writes: 'Failed writes to the disk',
          failed_discards: 'Failed discards',
          failed_flushes: 'Failed flushes of the disk',
        },
        failureReason,
      ),
      io_latency: histogram('nanoseconds', 'Latency of reads and writes', ioKind),
      io_size: histogram('bytes', 'Sizes of reads and writes', ioKind),
    },
  },
  {
    name: 'instance_network_interface',
    scope: 'project',
    description: 'A network interface of an instance',
    fields: { interface_id: uuid('ID of the network interface'), ...instance, ...ofProject },
    metrics: {
      ...traffic('network interface'),
      ...counts({ packets_dropped: 'Packets dropped at the network interface' }),
    },
  },
  {
    name: 'collection_target',
    scope: 'fleet',
    description: 'A silo, a project or the fleet, with its provisioned resources',
    fields: { id: uuid('ID of the silo, of the project or of the fleet') },
    metrics: {
      virtual_disk_space_provisioned: signedLevel('bytes', 'Size of all disks and snapshots'),
      ram_provisioned: signedLevel('bytes', 'Memory of all running instances'),
      cpus_provisioned: signedLevel('count', 'Virtual CPUs of all running instances'),
    },
  },
] as const satisfies readonly TargetDeclaration[]
