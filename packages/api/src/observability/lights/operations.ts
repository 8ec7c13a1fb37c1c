import type { Operation } from '../../operation.ts'
import { uuid } from '../../schema.ts'
import { Lights } from './schemas.ts'

const lights = {
  method: 'GET',
  tags: ['extensions'],
  transaction: 'snapshot',
  success: { status: 200, schema: Lights },
} as const

export const lightOperations = {
  fleet_lights: {
    ...lights,
    path: '/x/v1/lights/fleet',
    summary: 'Show the sleds of the fleet, with the state of each instance and disk on them',
    permission: { fleet: 'read' },
  },
  silo_lights: {
    ...lights,
    path: '/x/v1/lights/silo',
    summary: "Show the projects of the caller's silo, with the state of each instance",
    permission: { silo: 'read' },
  },
  sled_lights: {
    ...lights,
    path: '/x/v1/lights/sled',
    summary: 'Show the state of each instance and disk on a sled',
    permission: { sled: 'read' },
    query: { sled: uuid },
  },
} as const satisfies Record<string, Operation>
