import type { Operation } from '../../operation.ts'
import { PhysicalDiskManufacturerIdentity } from '../physical-disks/schemas.ts'
import { BaseboardId } from '../racks/schemas.ts'
import { NameOrId, shortText, uint8 } from '../../schema.ts'
import { SwitchSlot } from '../switches/schemas.ts'
import {
  SimulatedConnection,
  SimulatedHealth,
  SimulatedLoad,
  SimulatedLoadUpdate,
  SimulatedPower,
  SimulatedPresence,
  Simulation,
} from './schemas.ts'

const tags = ['extensions']
const path = '/x/v1/simulation'
const permission = { fleet: 'modify' } as const

/** Operations of simulated hardware. With real hardware they answer 404. */
export const simulationOperations = {
  simulated_sled_set_power: {
    method: 'PUT',
    path: `${path}/sleds/{serial}/power`,
    tags,
    summary: 'Switch a simulated sled off or on, as if it had failed and come back',
    permission,
    params: { serial: shortText },
    body: SimulatedPower,
    // The engine runs its own transactions.
    transaction: 'own',
    success: { status: 204 },
  },
  simulated_sled_recover: {
    method: 'POST',
    path: `${path}/sleds/{serial}/recover`,
    tags,
    summary: 'Reset a simulated sled to its factory software, as support does',
    permission,
    params: { serial: shortText },
    transaction: 'own',
    success: { status: 204 },
  },
  simulated_sled_insert: {
    method: 'POST',
    path: `${path}/sleds`,
    tags,
    summary: 'Add a sled to the simulated rack',
    permission,
    transaction: 'own',
    success: { status: 201, schema: BaseboardId },
  },
  simulated_instance_load_view: {
    method: 'GET',
    path: `${path}/instances/{instance}/load`,
    tags,
    summary: 'Show the simulated load of an instance',
    permission: { instance: 'read' },
    params: { instance: NameOrId },
    query: { project: NameOrId.optional() },
    success: { status: 200, schema: SimulatedLoad },
  },
  simulated_instance_set_load: {
    method: 'PUT',
    path: `${path}/instances/{instance}/load`,
    tags,
    summary: 'Set the simulated load of an instance, or end it',
    permission: { instance: 'modify' },
    params: { instance: NameOrId },
    query: { project: NameOrId.optional() },
    body: SimulatedLoadUpdate,
    transaction: 'own',
    success: { status: 204 },
  },
  simulated_disk_set_health: {
    method: 'PUT',
    path: `${path}/disks/{serial}/health`,
    tags,
    summary: 'Fail or repair a simulated disk',
    permission,
    params: { serial: shortText },
    body: SimulatedHealth,
    transaction: 'own',
    success: { status: 204 },
  },
  simulated_disk_replace: {
    method: 'POST',
    path: `${path}/disks/{serial}/replace`,
    tags,
    summary: 'Replace a simulated disk with a new one',
    permission,
    params: { serial: shortText },
    transaction: 'own',
    success: { status: 201, schema: PhysicalDiskManufacturerIdentity },
  },
  simulation_view: {
    method: 'GET',
    path,
    tags,
    summary: 'Show the power supplies and the failed uplinks of the simulated rack',
    permission,
    success: { status: 200, schema: Simulation },
  },
  simulated_power_supply_update: {
    method: 'PUT',
    path: `${path}/power-supplies/{slot}`,
    tags,
    summary: 'Remove or insert a simulated power supply',
    permission,
    params: { slot: uint8 },
    body: SimulatedPresence,
    transaction: 'own',
    success: { status: 204 },
  },
  simulated_uplink_update: {
    method: 'PUT',
    path: `${path}/uplinks/{switch_slot}/{end}`,
    tags,
    summary: 'Fail or repair a simulated router or the cable of a port',
    permission,
    params: { switch_slot: SwitchSlot, end: shortText },
    body: SimulatedConnection,
    transaction: 'own',
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
