import { RefreshCwOff } from 'lucide-react'
import { useLiveState } from '../data/live.ts'
import { tooltip } from '../ui/tooltip.tsx'

/** Whether what is on the screen follows the control plane by itself. */
export function LiveIndicator() {
  const state = useLiveState()
  if (state === 'polling') return null
  const live = state === 'live'
  return (
    <span
      className={
        live
          ? 'flex items-center gap-1.5 px-1 text-xs text-tertiary max-sm:hidden'
          : 'flex h-5 items-center gap-1.5 rounded-full border border-amber-border bg-amber-surface px-2 text-xs text-amber-text'
      }
      {...tooltip(
        live
          ? 'Changes appear by themselves'
          : 'The connection was lost. What you see may be out of date until it is back.',
      )}
    >
      {live ? (
        <span aria-hidden className="size-1.5 rounded-full bg-green" />
      ) : (
        <RefreshCwOff size={12} strokeWidth={2} aria-hidden />
      )}
      {live ? 'Live' : 'Reconnecting'}
    </span>
  )
}
