/**
 * Simulated engines: no guest code runs, but machines take time to boot, print a boot log, have a
 * shell with a few commands, and survive restarts of the process. For trials, tests and the demo.
 * The contents of volumes are real.
 */
import type {
  BlockStore,
  Consoles,
  Engine,
  EngineContext,
  Engines,
  HardwareSimulation,
} from '@steading/control-plane/ports'
import {
  bootName,
  composeEngine,
  createBlockVolumes,
  KEPT_BYTES,
} from '@steading/control-plane/engine'
import { createDriver, type Driver } from './driver.ts'
import { createFaults, type Faults, withFaults } from './faults.ts'
import { createSimulatedHardware } from './hardware.ts'
import { createSimulatedMachines, type SimulatedMachines } from './machines.ts'
import { currentLoad, setLoad } from './measurements/loads.ts'
import { createSimulatedMeasurements } from './measurements/measurements.ts'
import { createSimulatedMulticast } from './multicast.ts'
import { plausible, type SimulatedOptions } from './options.ts'
import { createSimulatedPowerSwitches } from './power-switches.ts'
import { createPowerShelf, type SimulatedPowerShelf } from './power-shelf.ts'
import { simulatedMigrations } from './migrations/index.ts'
import { createRows, type Rows } from './rows.ts'
import { createSimulatedPools } from './storage-pools.ts'
import { createSimulatedUpdates } from './updates.ts'
import { createSimulatedUplinks, type SimulatedUplinks } from './uplinks.ts'

export interface SimulatedEngines extends Engines {
  machines: SimulatedMachines
  uplinks: SimulatedUplinks
  simulation: HardwareSimulation
  faults: Faults
  power: SimulatedPowerShelf
}

const simulatedConsoles = (rows: Rows, driver: Driver): Consoles => ({
  async read(id, from, maxBytes = Number.POSITIVE_INFINITY) {
    const machine = await rows.bootOf(id)
    if (!machine) return { boot: '', data: new Uint8Array(), endOffset: 0 }
    const end = await rows.outputEnd(id, machine.boot)
    const first = Math.min(end, Math.max(from, end - KEPT_BYTES))
    const output = await rows.output(id, machine.boot, first, Math.min(end, first + maxBytes))
    return { boot: bootName(id, machine.boot), ...output }
  },
  async length(id) {
    const machine = await rows.bootOf(id)
    return machine ? rows.outputEnd(id, machine.boot) : 0
  },
  open: driver.open,
})

function createSimulatedEngines(
  context: EngineContext,
  store: BlockStore,
  options: SimulatedOptions,
): SimulatedEngines {
  const faults = createFaults()
  const rows = createRows(context.database)
  let changed: (machineId: string) => void = () => {}
  const notify = (id: string) => changed(id)
  const driver = createDriver(rows, options, context, notify)
  const machines = createSimulatedMachines(
    rows,
    driver,
    options,
    faults,
    context,
    (callback) => void (changed = callback),
    notify,
  )
  const { hardware, simulation, enrolment } = createSimulatedHardware(
    context,
    options,
    machines.lost,
  )
  const { volumes, storagePools } = createSimulatedPools(
    context,
    createBlockVolumes(context, store, machines),
    hardware,
    faults,
  )
  const fencing = createSimulatedPowerSwitches(context.database.db, simulation, options)
  const power = createPowerShelf(context.database)
  const uplinks = createSimulatedUplinks(context, options)
  return {
    faults,
    hardware,
    enrolment,
    fencing,
    simulation: {
      ...simulation,
      powerSupplies: power.units,
      async setPowerSupply(slot, present) {
        const units = await power.units()
        if (!units.some((unit) => unit.slot === slot)) return false
        await power.change(present ? 'insert' : 'remove', slot)
        return true
      },
      uplinksDown: uplinks.down,
      setLoad: (machineId, load, duration) =>
        setLoad(context.database, machineId, load, context.clock().getTime(), duration),
      load: (machineId) => currentLoad(context.database, machineId, context.clock().getTime()),
      setUplink: (slot, end, up) => (up ? uplinks.bringUp : uplinks.takeDown)(slot, end),
    },
    machines,
    power,
    volumes: withFaults(volumes, faults),
    storagePools,
    consoles: simulatedConsoles(rows, driver),
    uplinks,
    measurements: createSimulatedMeasurements({ ...context, uplinks, options }),
    updates: createSimulatedUpdates(context, options, faults),
    multicast: createSimulatedMulticast(context.database, faults),
  }
}

/**
 * A simulated rack with its volumes in a block store of the host.
 * @param options may change at run time
 */
export const simulatedEngine = (
  store: BlockStore,
  options: SimulatedOptions = plausible,
): Engine<SimulatedEngines> =>
  composeEngine<SimulatedEngines>({
    name: 'simulated',
    ports: [
      'hardware',
      'enrolment',
      'fencing',
      'simulation',
      'machines',
      'volumes',
      'storagePools',
      'consoles',
      'uplinks',
      'updates',
      'multicast',
      'power',
      'measurements',
    ],
    migrations: simulatedMigrations,
    open: (context) => createSimulatedEngines(context, store, options),
  })
