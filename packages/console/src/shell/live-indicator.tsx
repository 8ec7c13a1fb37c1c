import { LogIn, RefreshCw, RefreshCwOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { useConnectionLost } from '../data/connection.ts'
import { type LiveState, POLL_MS, useLiveState } from '../data/live.ts'
import { offerSignIn, useSessionEnded } from '../data/session-end.ts'
import { Button } from '../ui/button.tsx'
import { tooltip } from '../ui/tooltip.tsx'

type Look = { word: string; help: string; className: string; icon: ReactNode }

const pill = 'flex h-5 items-center gap-1.5 rounded-full border px-2 text-xs'

const looks: Record<LiveState, Look> = {
  opening: {
    word: 'Connecting',
    help: 'Connecting to live updates',
    className: 'flex items-center gap-1.5 px-1 text-xs text-tertiary',
    icon: <span aria-hidden className="size-1.5 rounded-full border border-line-strong" />,
  },
  live: {
    word: 'Live',
    help: 'Updates live',
    className: 'flex items-center gap-1.5 px-1 text-xs text-tertiary',
    icon: <span aria-hidden className="size-1.5 rounded-full bg-green" />,
  },
  reconnecting: {
    word: 'Reconnecting',
    help: 'The connection was lost. This page may be out of date until it is back.',
    className: `${pill} border-amber-border bg-amber-surface text-amber-text`,
    icon: <RefreshCwOff size={12} strokeWidth={2} aria-hidden />,
  },
  polling: {
    word: 'Not live',
    help: `No live updates. This page is refreshed every ${POLL_MS / 1000} seconds.`,
    className: `${pill} text-secondary`,
    icon: <RefreshCw size={12} strokeWidth={2} aria-hidden />,
  },
}

/** Whether the screen is updated live. */
export function LiveIndicator() {
  const isLost = useConnectionLost() !== undefined
  const hasEnded = useSessionEnded()
  const state = useLiveState()
  // A stream that has not noticed an outage yet delivers nothing either.
  const look = looks[isLost ? 'reconnecting' : state]
  if (hasEnded && !isLost) return <SignedOut />
  return (
    <span className={look.className} {...tooltip(look.help)}>
      {look.icon}
      {look === looks.opening && (
        // Reserves the width of the next word.
        <span aria-hidden className="invisible max-sm:hidden">
          {looks.live.word}
        </span>
      )}
      <span className={look === looks.opening ? 'sr-only' : 'max-sm:sr-only'}>{look.word}</span>
    </span>
  )
}

/** Indicator of an ended session, which stops live updates. */
const SignedOut = () => (
  <Button
    size="sm"
    className="border-amber-border! bg-amber-surface! text-amber-text!"
    icon={<LogIn size={14} strokeWidth={1.5} aria-hidden />}
    onClick={offerSignIn}
    {...tooltip('Your session has ended. This page may be out of date.')}
  >
    <span className="max-sm:sr-only">Sign in again</span>
  </Button>
)
