import type { Operation } from '../operation.ts'
import { PhysicalDiskManufacturerIdentity } from '../physical-disks/schemas.ts'
import { BaseboardId } from '../racks/schemas.ts'
import { string } from '../schema.ts'
import { SimulatedHealth, SimulatedPower } from './schemas.ts'

const tags = ['extensions']
const path = '/x/v1/simulation'
const permission = { fleet: 'modify' } as const

/** What only simulated hardware can do. With other hardware they answer 404. */
export const simulationOperations = {
  simulated_sled_set_power: {
    method: 'PUT',
    path: `${path}/sleds/{serial}/power`,
    tags,
    summary: 'Switch a simulated sled off or on, as if it had failed and come back',
    permission,
    params: { serial: string },
    body: SimulatedPower,
    // The engine has transactions of its own.
    transaction: 'own',
    success: { status: 204 },
  },
  simulated_sled_insert: {
    method: 'POST',
    path: `${path}/sleds`,
    tags,
    summary: 'Put another sled into the simulated rack',
    permission,
    transaction: 'own',
    success: { status: 201, schema: BaseboardId },
  },
  simulated_disk_set_health: {
    method: 'PUT',
    path: `${path}/disks/{serial}/health`,
    tags,
    summary: 'Make a simulated disk fail, or work again',
    permission,
    params: { serial: string },
    body: SimulatedHealth,
    transaction: 'own',
    success: { status: 204 },
  },
  simulated_disk_replace: {
    method: 'POST',
    path: `${path}/disks/{serial}/replace`,
    tags,
    summary: 'Put a new disk into the slot of a simulated disk',
    permission,
    params: { serial: string },
    transaction: 'own',
    success: { status: 201, schema: PhysicalDiskManufacturerIdentity },
  },
} as const satisfies Record<string, Operation>
