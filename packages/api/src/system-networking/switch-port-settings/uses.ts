/** Rules for deleting port settings. Separate, because every page loads them. */
import type { Obstacle } from '../../workspace/deletion/rules.ts'

export const PORT_SETTINGS_IN_USE = 'must clear port settings first'

/** Use of settings, which decides whether they can be deleted. */
export const portSettingsUses = ['applied', 'unused'] as const
export type PortSettingsUse = (typeof portSettingsUses)[number]

/** Reason that settings cannot be deleted as they are. */
export const portSettingsObstacles: Record<PortSettingsUse, Obstacle | undefined> = {
  applied: { reason: PORT_SETTINGS_IN_USE, steps: [] },
  unused: undefined,
}
