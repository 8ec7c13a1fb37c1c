import type { Instance } from '@steading/api/client'
import { autoRestartIsDue } from '@steading/api/rules'
import { useEffect, useState } from 'react'
import { formatDistance } from '../ui/time.tsx'

export const policyLabels = { never: 'never', best_effort: 'best effort' } as const

/** The clock of a countdown; it only runs while it is needed. */
export function useNow(running: boolean): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(new Date()), 1000)
    return () => clearInterval(timer)
  }, [running])
  return now
}

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
