import type { Overview } from '@steading/api/client'
import { GiB } from '@steading/api/rules'

/** Quotas of a silo in the units of its form: vCPUs, and GiB of memory and storage. */
export type Quotas = Record<'cpus' | 'memory' | 'storage', number>

/** The part of an overview with the limits of the fleet, in vCPUs and bytes. */
export type FleetCapacity = Record<
  keyof Quotas,
  Pick<NonNullable<Overview['capacity']>['cpus'], 'limit'>
>

/** Share of the fleet that a new silo is offered. */
const FLEET_SHARE = 0.1

/** Capacity of the whole fleet, in the units of the form. */
export const fleetTotals = ({ cpus, memory, storage }: FleetCapacity): Quotas => ({
  cpus: cpus.limit,
  memory: Math.floor(memory.limit / GiB),
  storage: Math.floor(storage.limit / GiB),
})

/**
 * The quotas that the form of a new silo begins with. They are whole, and at least 1 of what the
 * fleet has at all, because a quota of 0 forbids everything.
 */
export function fleetShare(capacity: FleetCapacity): Quotas {
  const share = (total: number) => Math.max(Math.floor(total * FLEET_SHARE), Math.min(total, 1))
  const { cpus, memory, storage } = fleetTotals(capacity)
  return { cpus: share(cpus), memory: share(memory), storage: share(storage) }
}
