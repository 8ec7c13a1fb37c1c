import { array, boolean, dateTime, integer, record, string, uint8 } from '../../schema.ts'
import { SwitchSlot } from '../switches/schemas.ts'

export const SimulatedPower = record('SimulatedPower', { on: boolean })
export const SimulatedHealth = record('SimulatedHealth', { healthy: boolean })

/** A place of the power shelf. */
const SimulatedPowerSupply = record('SimulatedPowerSupply', { slot: uint8, present: boolean })
/** A router that is silent, or a port without its cable. */
const SimulatedOutage = record('SimulatedOutage', { switch_slot: SwitchSlot, end: string })
/** What is wrong with the simulated rack besides its sleds and disks. */
export const Simulation = record('Simulation', {
  power_supplies: array(SimulatedPowerSupply),
  outages: array(SimulatedOutage),
})
const percent = integer('uint8', 'a percentage', 0, 100)
const load = { cpu: percent, disk: percent, network: percent }
/** How much a simulated machine does on purpose of what it could; all zero if it does nothing. */
export const SimulatedLoad = record('SimulatedLoad', {
  ...load,
  /** Null while it does nothing. */
  time_started: dateTime.nullable(),
  /** Null if only a new load or a stop ends it. */
  time_ends: dateTime.nullable(),
})
/** All zero ends the load. */
export const SimulatedLoadUpdate = record('SimulatedLoadUpdate', {
  ...load,
  /** Seconds; without it, only a new load or a stop ends the load. */
  duration: integer('uint32', 'a duration of at least a second', 1, 0xffffffff)
    .nullable()
    .optional(),
})
export const SimulatedPresence = record('SimulatedPresence', { present: boolean })
export const SimulatedConnection = record('SimulatedConnection', { up: boolean })
