/** Measures hosts and their machines in rounds. */
import type { EngineContext, Measurements } from '@steading/control-plane/ports'
import type { HostSet } from '../hosts/host-set.ts'
import type { Rows } from '../rows.ts'
import { hostSamples, processorSamples, upTime } from './host.ts'
import { machineSamples } from './machines.ts'

/**
 * @param own serial number of the host of this server; undefined where hosts are reached by libvirt
 *   only, which says less about them
 */
export function createMeasurements(
  { inventory: readInventory, log }: Pick<EngineContext, 'inventory' | 'log'>,
  rows: Rows,
  hosts: Pick<HostSet, 'serials' | 'drives' | 'answers' | 'of'>,
  own: string | undefined,
): Measurements {
  /** Serial number → the start of the host, and how long it had run when it was last seen. */
  const starts = new Map<string, { start: number; ran: number }>()
  /** The same for all rounds, until the host is started again. */
  const startOf = (serial: string, at: number, processors: Record<string, number>[]): number => {
    const ran = upTime(processors)
    const known = starts.get(serial)
    const start = known && ran >= known.ran ? known.start : Math.floor(at - ran)
    starts.set(serial, { start, ran })
    return start
  }

  return {
    async *measure(at, number) {
      const round = { at, number }
      const inventory = await readInventory()
      const { sleds, instances } = inventory
      const sledWith = new Map(sleds.map((sled) => [sled.serial, sled]))
      const instanceOf = new Map(instances.map((instance) => [instance.machineId, instance]))
      const disksOf = Map.groupBy(inventory.disks, ({ instanceId }) => instanceId)
      const interfacesOf = Map.groupBy(inventory.interfaces, ({ instanceId }) => instanceId)
      for (const serial of await hosts.serials()) {
        const sled = sledWith.get(serial)
        if (!sled || !hosts.drives(serial) || !hosts.answers(serial)) continue
        if (serial === own) yield await hostSamples(round, sled)
        const machines = await rows.all(serial)
        if (machines.length === 0 && serial === own) continue
        try {
          const { libvirt } = await hosts.of(serial)
          if (serial !== own) {
            const processors = await libvirt.processorTimes()
            yield processorSamples(round, sled, processors, startOf(serial, at, processors))
          }
          const stats = await libvirt.stats()
          for (const row of machines) {
            const instance = instanceOf.get(row.id)
            const its = stats.get(row.id)
            if (!instance || !its || row.started_at === null) continue
            const machine = { instance, sled, row, spec: rows.spec(row), stats: its }
            yield machineSamples(round, machine, {
              disks: disksOf.get(instance.id) ?? [],
              interfaces: interfacesOf.get(instance.id) ?? [],
            })
          }
        } catch (error) {
          // The other hosts are measured.
          if (serial === own) throw error
          log(`measuring the host ${serial} failed`, error)
        }
      }
    },
  }
}
