/** Alerts about the power supplies of the rack. */
import type { OpenDatabase } from '../../../kernel/db/database.ts'
import type { PowerSupplyChange } from '../../../kernel/ports/power-shelf.ts'
import { writingIn } from '../../../kernel/work.ts'
import { raiseAlert } from './raise.ts'

/** Raises the alert of a change at a power shelf. */
export async function raisePowerSupplyAlert(
  database: OpenDatabase,
  now: Date,
  { change, ...unit }: PowerSupplyChange,
): Promise<void> {
  const name = `hardware.power_shelf.psu.${change}` as const
  await database.transaction(async (tx) => {
    await raiseAlert(writingIn(tx, now), name, { time: now.toISOString(), ...unit })
  })
}
