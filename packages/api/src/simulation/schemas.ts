import { boolean, record } from '../schema.ts'

export const SimulatedPower = record('SimulatedPower', { on: boolean })
export const SimulatedHealth = record('SimulatedHealth', { healthy: boolean })
