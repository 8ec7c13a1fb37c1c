/** Subjects of measurements: the current inventory, with data of the simulation. */
import { inPages, type OpenDatabase } from '@steading/control-plane/engine'
import type { Inventory, ReadInventory } from '@steading/control-plane/ports'
import type { SimulatedOptions } from '../options.ts'
import type { SimulatedUplinks } from '../uplinks.ts'
import { endsAt, type MachineState } from '../state.ts'
import type { SimulatedMachineTable } from '../tables.ts'
import type { Load } from './activity.ts'
import type { LoadKind, RunningMachine } from './machines.ts'
import type { Outside } from './switches.ts'

export interface WorldParts {
  database: Pick<OpenDatabase, 'db'>
  inventory: ReadInventory
  uplinks: SimulatedUplinks
  options: SimulatedOptions
}

export interface World {
  /** With the sleds that are measured. */
  inventory: Inventory
  machines: RunningMachine[]
}

/**
 * The sleds that are measured, as many as in four racks: a real sled measures itself, but simulated
 * ones are measured by this server, with hundreds of series each. A simulated rack has 32; only
 * benchmarks have more.
 */
const MOST_SLEDS = 128

/** Start time of a machine; undefined unless it is running. */
function runsSince(
  state: Pick<MachineState, 'phase' | 'since'>,
  now: number,
  options: SimulatedOptions,
): number | undefined {
  if (state.phase === 'running') return state.since
  if (state.phase !== 'booting' && state.phase !== 'rebooting') return undefined
  const end = endsAt(state as MachineState, options)!
  return end <= now ? end : undefined
}

const unloaded: RunningMachine['loads'] = { cpu: [], disk: [], network: [] }

async function loadsOf({ db }: WorldParts['database']) {
  const rows = await db.selectFrom('simulated_load').selectAll().orderBy('time_began').execute()
  return new Map(
    [...Map.groupBy(rows, ({ machine_id }) => machine_id)].map(([id, loads]) => {
      const of = (kind: LoadKind) =>
        loads
          .filter((row) => row[kind] > 0)
          .map((row): Load => ({
            level: row[kind] / 100,
            from: row.time_began,
            to: row.time_ended ?? undefined,
          }))
      return [id, { cpu: of('cpu'), disk: of('disk'), network: of('network') }]
    }),
  )
}

export async function readWorld(
  { database, inventory: read, options }: WorldParts,
  now: number,
): Promise<World> {
  const inventory = await read()
  const states = new Map<string, Pick<SimulatedMachineTable, 'phase' | 'since' | 'boot'>>()
  const pages = inPages(
    database.db.selectFrom('simulated_machine').select(['id', 'phase', 'since', 'boot']),
    'id',
  )
  for await (const rows of pages) for (const row of rows) states.set(row.id, row)
  const loads = await loadsOf(database)
  const sleds = new Map(inventory.sleds.map((sled) => [sled.id, sled]))
  const disks = Map.groupBy(inventory.disks, ({ instanceId }) => instanceId)
  const interfaces = Map.groupBy(inventory.interfaces, ({ instanceId }) => instanceId)
  const machines = inventory.instances.flatMap((instance): RunningMachine[] => {
    const state = states.get(instance.machineId)
    const sled = sleds.get(instance.sledId)
    const since =
      state &&
      runsSince({ phase: state.phase as MachineState['phase'], since: state.since }, now, options)
    if (since === undefined || !sled) return []
    return [
      {
        instance,
        sled,
        since,
        resets: state!.boot,
        disks: disks.get(instance.id) ?? [],
        interfaces: interfaces.get(instance.id) ?? [],
        loads: loads.get(instance.machineId) ?? unloaded,
      },
    ]
  })
  return { inventory: { ...inventory, sleds: inventory.sleds.slice(0, MOST_SLEDS) }, machines }
}

/** Reads the state of the switches' links and sessions. */
export async function readOutside(
  uplinks: SimulatedUplinks,
  { links, peers, bfd }: Inventory,
): Promise<Omit<Outside, 'bfd'> & { bfd: Outside['bfd'][number]['state'][] }> {
  const [states, sessions, imported, others] = await Promise.all([
    uplinks.links(links),
    uplinks.peers(peers),
    uplinks.imported(peers),
    uplinks.bfd(bfd),
  ])
  return { links: states, peers: sessions, imported, bfd: others }
}
