/** Measurements of machines, their disks and their interfaces. */
import { collectionSeconds, ioKinds, type VcpuState, vcpuStates } from '@steading/api'
import type {
  MeasuredDisk,
  MeasuredInstance,
  MeasuredInterface,
  MeasuredSled,
} from '@steading/control-plane/ports'
import { type Activity, activityOf, type Load, loaded, mixed } from './activity.ts'
import { histogramOf, powers, shapeAround } from './histogram.ts'
import { type Measured, type Probe, probeOf } from './probe.ts'
import { between, seedOf } from './random.ts'

/** Resources that can be put under load. */
export type LoadKind = 'cpu' | 'disk' | 'network'

/** A running machine. */
export interface RunningMachine {
  instance: MeasuredInstance
  sled: MeasuredSled
  disks: MeasuredDisk[]
  interfaces: MeasuredInterface[]
  /** Start time in milliseconds. */
  since: number
  /** Number of reboots. */
  resets: number
  loads: Record<LoadKind, readonly Load[]>
}

/** Total activity of a machine, shared by its CPUs, disks and interfaces. */
export interface MachineActivity {
  since: number
  cpu: Activity
  /** Bytes sent and received, and bytes read and written, until a time. */
  traffic: (from: number, to: number) => number
  storage: (from: number, to: number) => number
  ncpus: number
}

const HEALTH_MS = 1000 * collectionSeconds('virtual_machine:check')!
const NANOSECONDS = 1e6
const OWN = 0.4

const busyStates = { run: 0.93, emulation: 0.02, waiting: 0.05 } as const

const fieldsOf = ({ instance }: RunningMachine) => ({
  project_id: instance.projectId,
  silo_id: instance.siloId,
})

const cpuOf = ({ instance, loads }: RunningMachine): Activity =>
  loaded(activityOf(instance.id), loads.cpu)

function vcpuProbes(machine: RunningMachine, whole: Activity): Probe[] {
  const { instance, sled, since } = machine
  const fields = {
    ...fieldsOf(machine),
    instance_id: instance.id,
    sled_id: sled.id,
    sled_model: sled.model,
    sled_revision: sled.revision,
    sled_serial: sled.serial,
  }
  const vcpus = Array.from({ length: instance.ncpus }, (_, vcpu_id): Probe => {
    const own = loaded(activityOf(`${instance.id} vcpu ${vcpu_id}`), machine.loads.cpu)
    const activity = mixed([1 - OWN, whole], [OWN, own])
    return probeOf({
      since,
      target: 'virtual_machine',
      fields,
      metrics: vcpuStates.map((state) => ['vcpu_usage', { state, vcpu_id }]),
      read(at) {
        const busy = activity.busy(since, at) * NANOSECONDS
        const spent = (state: keyof typeof busyStates) => Math.floor(busyStates[state] * busy)
        const [run, emulation, waiting] = [spent('run'), spent('emulation'), spent('waiting')]
        // The times of all states add up to the elapsed time.
        const idle = (at - since) * NANOSECONDS - run - emulation - waiting
        const of: Record<VcpuState, number> = { run, emulation, waiting, idle }
        return vcpuStates.map((state) => of[state])
      },
    })
  })
  const events = probeOf({
    since,
    target: 'virtual_machine',
    fields,
    metrics: ['reset', 'pv_panic_guest_handled', 'pv_panic_host_handled'],
    read: () => [machine.resets, 0, 0],
  })
  return [...vcpus, events]
}

function healthProbe(machine: RunningMachine, nexusId: string): Probe {
  const { instance, sled, since } = machine
  return probeOf({
    since,
    target: 'virtual_machine',
    fields: {
      ...fieldsOf(machine),
      instance_id: instance.id,
      nexus_id: nexusId,
      rack_id: sled.rackId,
      sled_agent_id: sled.id,
      sled_agent_ip: `fd00:1122:3344:${(0x101 + sled.slot).toString(16)}::1`,
      sled_agent_port: 12_345,
      vmm_id: instance.machineId,
    },
    metrics: [
      ['check', { state: 'running', reason: 'success' }],
      ['incomplete_check', { failure_reason: 'timeout' }],
    ],
    read: (at) => [Math.floor((at - since) / HEALTH_MS), 0],
  })
}

/** Latency of operations on an idle and on a busy disk, and their sizes. */
const latencies = powers(3, 10)
const calm = { read: shapeAround(latencies, 4e5, 1), write: shapeAround(latencies, 9e5, 1) }
const pressed = { read: shapeAround(latencies, 2e6, 1.2), write: shapeAround(latencies, 6e6, 1.2) }
const sizes = [0, ...Array.from({ length: 14 }, (_, power) => 512 * 2 ** power)]

/** Operations and bytes of a disk until a time. */
function diskOf(disk: MeasuredDisk, machine: RunningMachine, whole: Activity) {
  const seed = seedOf(disk.id)
  const own = activityOf(`disk ${disk.id}`)
  const activity = loaded(mixed([1 - OWN, whole], [OWN, own]), machine.loads.disk)
  const kind = (n: number, slow: number, fast: number) => {
    const most = between(seed, n, slow, fast)
    const size = 512 * Math.round(between(seed, n + 1, 16, 96))
    return {
      size,
      /** Operations of an idle and of a busy disk. */
      counts(from: number, to: number) {
        const seconds = (to - from) / 1000
        const busy = activity.busy(from, to) / 1000
        return [0.02 * most * seconds, most * busy] as const
      },
    }
  }
  return { read: kind(1, 120, 1_500), write: kind(3, 60, 700) }
}

function diskProbe(disk: MeasuredDisk, machine: RunningMachine, whole: Activity): Probe {
  const { since } = machine
  const its = diskOf(disk, machine, whole)
  const failed = { failure_reason: 'io_error' }
  const metrics: Measured[] = [
    'bytes_read',
    'bytes_written',
    'bytes_discarded',
    'reads',
    'writes',
    'discards',
    'flushes',
    ...['failed_reads', 'failed_writes', 'failed_discards', 'failed_flushes'].map(
      (metric): Measured => [metric, failed],
    ),
    ...ioKinds.map((io_kind): Measured => ['io_latency', { io_kind }]),
    ...ioKinds.map((io_kind): Measured => ['io_size', { io_kind }]),
  ]
  const shapes = ioKinds.map((kind) => shapeAround(sizes, its[kind].size, 0.8))
  return probeOf({
    since,
    target: 'virtual_disk',
    fields: {
      ...fieldsOf(machine),
      attached_instance_id: disk.instanceId,
      disk_id: disk.id,
      block_size: disk.blockSize,
    },
    metrics,
    read(at) {
      const counts = ioKinds.map((kind) => its[kind].counts(since, at))
      const [reads, writes] = counts.map(([slow, fast]) => Math.floor(slow + fast)) as [
        number,
        number,
      ]
      const discards = Math.floor(writes / 90)
      return [
        reads * its.read.size,
        writes * its.write.size,
        discards * 2 ** 20,
        reads,
        writes,
        discards,
        Math.floor(writes / 12),
        0,
        0,
        0,
        0,
        ...ioKinds.map((kind, index) => {
          const [slow, fast] = counts[index]!
          return histogramOf([
            [slow, calm[kind]],
            [fast, pressed[kind]],
          ])
        }),
        ...ioKinds.map((_, index) => {
          const [slow, fast] = counts[index]!
          return histogramOf([[slow + fast, shapes[index]!]])
        }),
      ]
    },
  })
}

const BYTES = 1e6

/** Bytes of an interface between two times: mostly answers, which are larger. */
function interfaceOf(nic: MeasuredInterface, machine: RunningMachine, whole: Activity) {
  const seed = seedOf(nic.id)
  const own = activityOf(`interface ${nic.id}`)
  const activity = loaded(mixed([1 - OWN, whole], [OWN, own]), machine.loads.network)
  const way = (n: number, least: number, most: number) => {
    const speed = between(seed, n, least, most) * BYTES
    const size = between(seed, n + 1, 300, 1_300)
    return {
      size,
      bytes: (from: number, to: number) =>
        (speed * (0.01 * (to - from) + activity.busy(from, to))) / 1000,
    }
  }
  return { sent: way(1, 1, 60), received: way(3, 0.5, 25) }
}

function interfaceProbe(nic: MeasuredInterface, machine: RunningMachine, whole: Activity): Probe {
  const { since } = machine
  const { sent, received } = interfaceOf(nic, machine, whole)
  return probeOf({
    since,
    target: 'instance_network_interface',
    fields: { ...fieldsOf(machine), interface_id: nic.id, instance_id: nic.instanceId },
    metrics: [
      'bytes_sent',
      'bytes_received',
      'packets_sent',
      'packets_received',
      'packets_dropped',
      'errors_sent',
      'errors_received',
    ],
    read(at) {
      const out = Math.floor(sent.bytes(since, at))
      const into = Math.floor(received.bytes(since, at))
      const packets = Math.floor(into / received.size)
      return [
        out,
        into,
        Math.floor(out / sent.size),
        packets,
        // A very small share is dropped for lack of space.
        Math.floor(packets / 2_000_000),
        0,
        0,
      ]
    },
  })
}

export function machineActivity(machine: RunningMachine): MachineActivity {
  const whole = cpuOf(machine)
  const disks = machine.disks.map((disk) => diskOf(disk, machine, whole))
  const interfaces = machine.interfaces.map((nic) => interfaceOf(nic, machine, whole))
  const sum = (values: number[]) => values.reduce((all, value) => all + value, 0)
  return {
    since: machine.since,
    cpu: whole,
    ncpus: machine.instance.ncpus,
    traffic: (from, to) =>
      sum(interfaces.map(({ sent, received }) => sent.bytes(from, to) + received.bytes(from, to))),
    storage: (from, to) =>
      sum(
        disks.flatMap((disk) =>
          ioKinds.map((kind) => {
            const [slow, fast] = disk[kind].counts(from, to)
            return (slow + fast) * disk[kind].size
          }),
        ),
      ),
  }
}

export function machineProbes(machine: RunningMachine, nexusId: string): Probe[] {
  const whole = cpuOf(machine)
  return [
    ...vcpuProbes(machine, whole),
    healthProbe(machine, nexusId),
    ...machine.disks.map((disk) => diskProbe(disk, machine, whole)),
    ...machine.interfaces.map((nic) => interfaceProbe(nic, machine, whole)),
  ]
}
