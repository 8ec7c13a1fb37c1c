import { boolean, dateTime, integer, list, record, string, uint8 } from '../../schema.ts'
import { SwitchSlot } from '../switches/schemas.ts'

export const SimulatedPower = record('SimulatedPower', { on: boolean })
export const SimulatedHealth = record('SimulatedHealth', { healthy: boolean })

/** A slot of the power shelf. */
const SimulatedPowerSupply = record('SimulatedPowerSupply', { slot: uint8, present: boolean })
/** A router that does not respond, or a port whose cable is unplugged. */
const SimulatedOutage = record('SimulatedOutage', { switch_slot: SwitchSlot, end: string })
/** Simulated faults of the rack, apart from sleds and disks. */
export const Simulation = record('Simulation', {
  power_supplies: list(SimulatedPowerSupply),
  outages: list(SimulatedOutage),
})
const percent = integer('uint8', 'a percentage', 0, 100)
const load = { cpu: percent, disk: percent, network: percent }
/** Load of a simulated machine as a share of its capacity; all zero without load. */
export const SimulatedLoad = record('SimulatedLoad', {
  ...load,
  /** Null without load. */
  time_started: dateTime.nullable(),
  /** Null if only a new load or a stop ends it. */
  time_ends: dateTime.nullable(),
})
/** All zero ends the load. */
export const SimulatedLoadUpdate = record('SimulatedLoadUpdate', {
  ...load,
  /** Seconds; without it, the load lasts until it is replaced or stopped. */
  duration: integer('uint32', 'a duration of at least a second', 1, 0xffffffff)
    .nullable()
    .optional(),
})
export const SimulatedPresence = record('SimulatedPresence', { present: boolean })
export const SimulatedConnection = record('SimulatedConnection', { up: boolean })
