/** The engine without a control plane, for tests and benchmarks. */
import type { Log, MachineSpec } from '@steading/control-plane/ports'
import type { OpenDatabase } from '../../../control-plane/src/kernel/db/database.ts'
import { createInventory } from '../../../control-plane/src/resources/observability/timeseries/inventory.ts'
import { startEngines } from '../../../control-plane/src/kernel/engine.ts'
import type { libvirtEngine, LibvirtEngines } from '../../src/engine.ts'

/** Starts the engine without a control plane. */
export async function openEngines(
  engine: ReturnType<typeof libvirtEngine>,
  database: OpenDatabase,
  log: Log,
): Promise<LibvirtEngines> {
  const engines = engine.open({
    database,
    clock: () => new Date(),
    log,
    networks: { around: async () => undefined },
    inventory: createInventory(database.db),
  })
  await startEngines(engines)
  return engines
}

export const sled = { id: '5f0e8f3c-0000-4000-8000-000000000001', serial: 'HOST' }

/** A small machine. */
export const smallSpec = (volumes: MachineSpec['volumes']): MachineSpec => ({
  name: 'machine',
  hostname: 'guest',
  ncpus: 1,
  memory: 64 * 1024 * 1024,
  sled,
  volumes,
  interfaces: [],
  userData: '',
  sshPublicKeys: [],
})
