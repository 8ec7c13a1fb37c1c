/** Measures this host and its machines in rounds. */
import type { EngineContext, Measurements } from '@steading/control-plane/ports'
import type { Libvirt } from '../native/libvirt.ts'
import type { Rows } from '../rows.ts'
import { hostSamples } from './host.ts'
import { machineSamples } from './machines.ts'

/**
 * @param directory whose file system holds the volumes
 */
export function createMeasurements(
  { inventory: readInventory }: EngineContext,
  rows: Rows,
  serial: string,
  libvirt: () => Promise<Libvirt>,
  directory: string,
): Measurements {
  return {
    async *measure(at, number) {
      const round = { at, number }
      const inventory = await readInventory()
      const sled = inventory.sleds.find((one) => one.serial === serial)
      if (!sled) return
      yield await hostSamples(round, sled, inventory, directory)
      const machines = new Map((await rows.all(serial)).map((row) => [row.id, row]))
      if (machines.size === 0) return
      const stats = await (await libvirt()).stats()
      for (const instance of inventory.instances) {
        const row = machines.get(instance.machineId)
        const its = stats.get(instance.machineId)
        if (!row || !its || row.started_at === null) continue
        const machine = { instance, sled, row, spec: rows.spec(row), stats: its }
        yield machineSamples(round, machine, inventory)
      }
    },
  }
}
