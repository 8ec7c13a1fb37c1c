import { useEffect, useEffectEvent } from 'react'

/**
 * Calls back periodically while the page is visible, and as soon as it becomes visible again.
 * @param ms 0 for never
 */
export function useTicks(ms: number, onTick: () => void): void {
  const tick = useEffectEvent(() => {
    if (document.visibilityState === 'visible') onTick()
  })
  useEffect(() => {
    if (ms === 0) return
    const run = () => tick()
    const timer = setInterval(run, ms)
    document.addEventListener('visibilitychange', run)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', run)
    }
  }, [ms])
}
