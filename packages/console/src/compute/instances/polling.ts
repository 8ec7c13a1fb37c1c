import type { Instance } from '@steading/api/client'
import { autoRestartIsDue, instanceIsTransitioning } from '@steading/api/rules'
import { useState } from 'react'
import { useLiveState } from '../../data/live.ts'

const FAST = 3000
const SLOW = 60_000
const FAST_FOR = 30_000

type Row = Pick<Instance, 'id' | 'runState'>

/**
 * The polling interval of a list: short for at most half a minute after an instance enters a
 * transitional state, so that a stuck instance is not polled fast forever.
 */
export function createTransitionWatch(now: () => number = Date.now) {
  let seen = new Set<string>()
  let since = -Infinity
  return (rows: readonly Row[]): number => {
    const current = new Set(
      rows
        .filter(({ runState }) => instanceIsTransitioning(runState))
        .map(({ id, runState }) => `${id} ${runState}`),
    )
    if ([...current].some((pair) => !seen.has(pair))) since = now()
    seen = current
    return current.size > 0 && now() - since < FAST_FOR ? FAST : SLOW
  }
}

/** The polling interval of lists of instances; no polling with live events. */
export function useInstanceListPolling(): (rows: readonly Row[]) => number | false {
  const live = useLiveState() === 'live'
  const [watch] = useState(() => createTransitionWatch())
  return (rows) => !live && watch(rows)
}

/**
 * The polling interval of an instance's page: polls in transitional states and before a restart.
 */
export function instanceInterval(instance: Instance | undefined): number | false {
  if (!instance) return false
  const { runState, autoRestartEnabled, autoRestartCooldownExpiration } = instance
  if (instanceIsTransitioning(runState)) return 2000
  if (runState !== 'failed' || !autoRestartEnabled) return false
  return autoRestartIsDue(autoRestartEnabled, autoRestartCooldownExpiration) ? 2000 : 30_000
}
