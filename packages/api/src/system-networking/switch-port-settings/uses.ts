/** Whether settings of ports can be deleted; in a file of its own, because every page knows of it. */
import type { Obstacle } from '../../workspace/deletion/rules.ts'

export const PORT_SETTINGS_IN_USE = 'must clear port settings first'

/** What decides whether settings can be deleted. */
export const portSettingsUses = ['applied', 'unused'] as const
export type PortSettingsUse = (typeof portSettingsUses)[number]

/** Why settings cannot be deleted as they are. */
export const portSettingsObstacles: Record<PortSettingsUse, Obstacle | undefined> = {
  applied: { reason: PORT_SETTINGS_IN_USE, steps: [] },
  unused: undefined,
}
