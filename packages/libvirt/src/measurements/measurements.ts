/** Measures hosts and their machines in rounds. */
import type { EngineContext, Measurements } from '@steading/control-plane/ports'
import type { HostSet } from '../hosts/host-set.ts'
import type { Rows } from '../rows.ts'
import { hostSamples, processorSamples, upTime } from './host.ts'
import { machineSamples } from './machines.ts'

/**
 * @param own serial number of the host of this server; undefined where hosts are reached by libvirt
 *   only, which says less about them
 * @param directory whose file system holds the volumes
 */
export function createMeasurements(
  { inventory: readInventory, log }: Pick<EngineContext, 'inventory' | 'log'>,
  rows: Rows,
  hosts: Pick<HostSet, 'serials' | 'drives' | 'answers' | 'of'>,
  own: string | undefined,
  directory: string,
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
      for (const serial of await hosts.serials()) {
        const sled = inventory.sleds.find((one) => one.serial === serial)
        if (!sled || !hosts.drives(serial) || !hosts.answers(serial)) continue
        if (serial === own) yield await hostSamples(round, sled, inventory, directory)
        const machines = new Map((await rows.all(serial)).map((row) => [row.id, row]))
        if (machines.size === 0 && serial === own) continue
        try {
          const { libvirt } = await hosts.of(serial)
          if (serial !== own) {
            const processors = await libvirt.processorTimes()
            yield processorSamples(round, sled, processors, startOf(serial, at, processors))
          }
          const stats = await libvirt.stats()
          for (const instance of inventory.instances) {
            const row = machines.get(instance.machineId)
            const its = stats.get(instance.machineId)
            if (!row || !its || row.started_at === null) continue
            const machine = { instance, sled, row, spec: rows.spec(row), stats: its }
            yield machineSamples(round, machine, inventory)
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
