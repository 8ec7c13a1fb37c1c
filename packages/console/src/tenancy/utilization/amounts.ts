import type { VirtualResourceCounts } from '@steading/api/client'
import { GiB, TiB } from '@steading/api/rules'

const twoDecimals = (value: number) => Math.round(value * 100) / 100

/** Resources counted per silo, with their units. */
export const resources = [
  { name: 'cpus', label: 'CPU', unit: 'vCPUs', size: 1, isCount: true },
  { name: 'memory', label: 'Memory', unit: 'GiB', size: GiB, isCount: false },
  { name: 'storage', label: 'Storage', unit: 'TiB', size: TiB, isCount: false },
] as const satisfies {
  name: keyof VirtualResourceCounts
  label: string
  unit: string
  size: number
  isCount: boolean
}[]
export type Resource = (typeof resources)[number]

/** An amount in the unit of its resource. */
export const inUnit = ({ size }: Resource, amount: number): number => twoDecimals(amount / size)

/** Adds before converting, so that rounding errors do not add up. */
export const sumOf = (counts: VirtualResourceCounts[]): VirtualResourceCounts => ({
  cpus: counts.reduce((sum, { cpus }) => sum + cpus, 0),
  memory: counts.reduce((sum, { memory }) => sum + memory, 0),
  storage: counts.reduce((sum, { storage }) => sum + storage, 0),
})

/** Used percentage of a quota; undefined without a quota. */
export const percentOf = (used: number, quota: number): number | undefined =>
  quota > 0 ? twoDecimals((used * 100) / quota) : undefined
