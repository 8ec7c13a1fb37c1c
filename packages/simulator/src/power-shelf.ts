import type { OpenDatabase } from '@steading/control-plane/engine'
import type { PowerShelf, PowerSupplyChange } from '@steading/control-plane/ports'
import './tables.ts'

/** A power shelf whose units can be removed and inserted, by tests and manually. */
export interface SimulatedPowerShelf extends PowerShelf {
  units: () => Promise<{ slot: number; present: boolean }[]>
  /** Removes or inserts a unit; no effect if it is already in that state. */
  change: (change: PowerSupplyChange['change'], slot: number) => Promise<void>
}

const SLOTS = Array.from({ length: 6 }, (_, slot) => slot)

/** Removed units are rows, so all servers see the same. */
export function createPowerShelf({ db }: Pick<OpenDatabase, 'db'>): SimulatedPowerShelf {
  const listeners: ((change: PowerSupplyChange) => Promise<void>)[] = []
  const takeOut = (slot: number) =>
    db
      .insertInto('simulated_power_gap')
      .values({ slot })
      .onConflict((conflict) => conflict.doNothing())
      .returning('slot')
      .executeTakeFirst()
  const putBack = (slot: number) =>
    db
      .deleteFrom('simulated_power_gap')
      .where('slot', '=', slot)
      .returning('slot')
      .executeTakeFirst()
  return {
    async units() {
      const gaps = await db.selectFrom('simulated_power_gap').select('slot').execute()
      const out = new Set(gaps.map(({ slot }) => slot))
      return SLOTS.map((slot) => ({ slot, present: !out.has(slot) }))
    },
    subscribe: (changed) => void listeners.push(changed),
    async change(change, slot) {
      if (!SLOTS.includes(slot)) {
        throw new RangeError(`a power shelf has the slots 0 to ${SLOTS.length - 1}`)
      }
      if (!(await (change === 'remove' ? takeOut : putBack)(slot))) return
      const unit = { part_number: '913-0000003', serial_number: `SIM-PSU-000${slot}` }
      for (const listener of listeners) await listener({ change, slot, ...unit })
    },
  }
}
