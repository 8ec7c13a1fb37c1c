/** Measurements of machines and their disks and interfaces, as libvirt has counted them. */
import type { Sample } from '@steading/oxql'
import type {
  Inventory,
  MachineSpec,
  MeasuredInstance,
  MeasuredSled,
} from '@steading/control-plane/ports'
import { diskTarget } from '../domain-xml.ts'
import type { DomainStats } from '../native/libvirt.ts'
import type { MachineRow } from '../rows.ts'
import { type Reading, type Round, samplesOf } from './samples.ts'

const NANOSECONDS = 1e6

/** A running machine with its statistics. */
export interface MeasuredMachine {
  instance: MeasuredInstance
  sled: MeasuredSled
  row: MachineRow
  spec: MachineSpec
  stats: DomainStats
}

/** A counter of libvirt. */
const count = (stats: DomainStats, name: string): number | undefined => {
  const value = stats[name]
  return typeof value === 'number' ? value : undefined
}

/** The number under which a thing with a name is in the statistics, as in `block.0.name`. */
function numberOf(stats: DomainStats, group: 'block' | 'net', name: string): number | undefined {
  const all = Array.from({ length: count(stats, `${group}.count`) ?? 0 }, (_, index) => index)
  return all.find((index) => stats[`${group}.${index}.name`] === name)
}

/**
 * Times of the virtual CPUs; those of all states add up to the time since the start. The time that
 * QEMU has used besides the CPUs counts as emulation, in equal parts.
 */
export function vcpuReadings(stats: DomainStats, ncpus: number, elapsedMs: number): Reading[] {
  const vcpus = Array.from({ length: ncpus }, (_, id) => ({
    id,
    run: count(stats, `vcpu.${id}.time`) ?? 0,
    waiting: (count(stats, `vcpu.${id}.delay`) ?? 0) + (count(stats, `vcpu.${id}.wait`) ?? 0),
  }))
  const inside = vcpus.reduce((sum, { run }) => sum + run, 0)
  const emulation = Math.floor(Math.max(0, (count(stats, 'cpu.time') ?? 0) - inside) / ncpus)
  return vcpus.flatMap(({ id, run, waiting }): Reading[] => {
    const elapsed = elapsedMs * NANOSECONDS
    const idle = Math.max(0, elapsed - run - waiting - emulation)
    return Object.entries({ run, waiting, emulation, idle }).map(([state, value]) => [
      'vcpu_usage',
      value,
      { state, vcpu_id: id },
    ])
  })
}

/** @param parts those of the instance */
export function machineSamples(
  round: Round,
  { instance, sled, row, spec, stats }: MeasuredMachine,
  parts: Pick<Inventory, 'disks' | 'interfaces'>,
): Sample[] {
  const since = row.started_at!
  const owner = { project_id: instance.projectId, silo_id: instance.siloId }
  const machine = samplesOf(
    round,
    'virtual_machine',
    {
      ...owner,
      instance_id: instance.id,
      sled_id: sled.id,
      sled_model: sled.model,
      sled_revision: sled.revision,
      sled_serial: sled.serial,
    },
    since,
    [...vcpuReadings(stats, spec.ncpus, round.at - since), ['reset', row.boot]],
  )
  const ofDisks = parts.disks.flatMap((disk) => {
    const index = spec.volumes.findIndex(({ id }) => id === disk.id)
    const volume = spec.volumes[index]
    const at = volume && numberOf(stats, 'block', diskTarget(volume, index))
    if (at === undefined) return []
    const of = (name: string) => count(stats, `block.${at}.${name}`)
    return samplesOf(
      round,
      'virtual_disk',
      {
        ...owner,
        attached_instance_id: instance.id,
        disk_id: disk.id,
        block_size: disk.blockSize,
      },
      since,
      [
        ['bytes_read', of('rd.bytes')],
        ['bytes_written', of('wr.bytes')],
        ['reads', of('rd.reqs')],
        ['writes', of('wr.reqs')],
        ['flushes', of('fl.reqs')],
      ],
    )
  })
  // User-mode networking counts nothing; the interfaces of other networks are in their order.
  const ofInterfaces = parts.interfaces.flatMap((nic, index) => {
    const of = (name: string) => count(stats, `net.${index}.${name}`)
    return samplesOf(
      round,
      'instance_network_interface',
      { ...owner, interface_id: nic.id, instance_id: instance.id },
      since,
      [
        // libvirt counts from the side of the host.
        ['bytes_sent', of('rx.bytes')],
        ['bytes_received', of('tx.bytes')],
        ['packets_sent', of('rx.pkts')],
        ['packets_received', of('tx.pkts')],
        ['packets_dropped', of('tx.drop')],
        ['errors_sent', of('rx.errs')],
        ['errors_received', of('tx.errs')],
      ],
    )
  })
  return [...machine, ...ofDisks, ...ofInterfaces]
}
