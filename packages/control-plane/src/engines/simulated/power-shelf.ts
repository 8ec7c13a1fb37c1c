import type { PowerShelf, PowerSupplyChange } from '../../kernel/ports/power-shelf.ts'

/** A power shelf whose units can be taken out and put back, by tests and in the demo. */
export interface SimulatedPowerShelf extends PowerShelf {
  readonly slots: number
  has: (slot: number) => boolean
  /** Takes a unit out, or puts it back; nothing happens if it is so already. */
  change: (change: PowerSupplyChange['change'], slot: number) => Promise<void>
}

const SLOTS = 6

export function createPowerShelf(): SimulatedPowerShelf {
  const removed = new Set<number>()
  const listeners: ((change: PowerSupplyChange) => Promise<void>)[] = []
  return {
    slots: SLOTS,
    has: (slot) => !removed.has(slot),
    subscribe: (changed) => void listeners.push(changed),
    async change(change, slot) {
      if (!Number.isInteger(slot) || slot < 0 || slot >= SLOTS) {
        throw new RangeError(`a power shelf has the slots 0 to ${SLOTS - 1}`)
      }
      if (removed.has(slot) === (change === 'remove')) return
      if (change === 'remove') removed.add(slot)
      else removed.delete(slot)
      const unit = { part_number: '913-0000003', serial_number: `SIM-PSU-000${slot}` }
      for (const listener of listeners) await listener({ change, slot, ...unit })
    },
  }
}
