import type { Instance } from '@steading/api/client'
import { autoRestartIsDue } from '@steading/api/rules'
import { formatDistance } from '../../ui/time.tsx'

export const autoRestartOptions = [
  { value: 'default', label: 'Default' },
  { value: 'never', label: 'Never' },
  { value: 'best_effort', label: 'Best effort' },
]

export const autoRestartHint = 'Default: restart when possible'

export const policyLabels = { never: 'never', best_effort: 'best effort' } as const

/** Whether and when a failed instance is restarted automatically. */
export type RestartOutlook =
  | { kind: 'never' }
  | { kind: 'soon' }
  | { kind: 'waiting'; duration: string }

export function restartOutlook(instance: Instance, now: Date): RestartOutlook {
  const { autoRestartEnabled, autoRestartCooldownExpiration: expiration } = instance
  if (!autoRestartEnabled) return { kind: 'never' }
  if (!expiration || autoRestartIsDue(true, expiration, now)) return { kind: 'soon' }
  return { kind: 'waiting', duration: formatDistance(now, expiration.getTime()) }
}
