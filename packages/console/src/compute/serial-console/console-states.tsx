import { type InstanceState, instanceCannot, instanceIsTransitioning } from '@steading/api/rules'
import { Plug, Power, TriangleAlert } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { Button, type ButtonProps } from '../../ui/button.tsx'
import { cx } from '../../ui/cx.ts'
import type { MenuAction } from '../../ui/menu-action.ts'
import { Spinner } from '../../ui/spinner.tsx'
import { InstanceStateBadge } from '../instances/instance-cells.tsx'
import type { ConnectionState } from './connection.ts'

/** Whether the console becomes available from this state without user action. */
export const consoleComes: Record<InstanceState, boolean> = {
  creating: true,
  starting: true,
  running: false,
  rebooting: false,
  migrating: false,
  repairing: false,
  stopping: false,
  stopped: false,
  failed: false,
  destroyed: false,
}

const icon = { size: 20, strokeWidth: 1.5, 'aria-hidden': true } as const

function Message({ mark, children }: { mark: ReactNode; children: ReactNode }) {
  return (
    <div className="flex flex-1 flex-col items-center justify-center gap-1 px-(--gutter) text-center">
      <div className="mb-3 flex size-10 items-center justify-center rounded-card border bg-raised text-accent-text">
        {mark}
      </div>
      {children}
    </div>
  )
}

type OffProps = { state: InstanceState; start: MenuAction }

/** Hidden if the instance is starting anyway. */
function StartButton({ state, start, size }: OffProps & Pick<ButtonProps, 'size'>) {
  if (consoleComes[state] || instanceCannot('start', state)) return null
  return (
    <Button size={size} variant="primary" onClick={start.onAction}>
      {start.label}
    </Button>
  )
}

/**
 * Message for an instance whose console is not available, or not yet.
 * @param otherwise why it is not available in other states
 */
export function NotConnectable({
  state,
  start,
  failure,
  otherwise,
}: OffProps & { failure: ReactNode; otherwise: string }) {
  const waiting = consoleComes[state]
  return (
    <Message mark={waiting ? <Spinner size={20} /> : <Power {...icon} />}>
      <h2 className="flex items-center gap-2 text-base font-medium">
        The instance is <InstanceStateBadge state={state} />
      </h2>
      <p className="max-w-md text-balance text-secondary">
        {waiting ? 'Waiting for the instance to start before connecting.' : otherwise}
      </p>
      {state === 'failed' && (
        <p className="max-w-md text-balance text-secondary empty:hidden">{failure}</p>
      )}
      <div className="mt-4 empty:hidden">
        <StartButton state={state} start={start} />
      </div>
    </Message>
  )
}

/** Bar above the output of a stopped instance. */
export function Off({
  state,
  start,
  incomplete,
  failure,
  onRetry,
}: OffProps & { incomplete: boolean; failure: ReactNode; onRetry: () => void }) {
  return (
    <output
      className={cx(
        'flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1.5 border-b px-(--gutter) py-1.5',
        state === 'failed'
          ? 'border-red-border bg-red-surface text-red-text'
          : 'bg-raised text-secondary',
      )}
    >
      <span className="flex items-center gap-2">
        The instance is <InstanceStateBadge state={state} />
      </span>
      <span className="min-w-0 flex-1 basis-64 wrap-anywhere">
        {state === 'failed' && <>{failure} </>}
        {consoleComes[state]
          ? 'Waiting for the instance to start before connecting.'
          : incomplete
            ? 'The end of its output could not be read.'
            : !instanceIsTransitioning(state) &&
              'Its output is kept until it is started again or deleted.'}
      </span>
      {incomplete && (
        <Button size="sm" onClick={onRetry}>
          Try again
        </Button>
      )}
      <StartButton size="sm" state={state} start={start} />
    </output>
  )
}

type ConsoleFailedProps = { title: string; reason?: string; onRetry: () => void }

export function ConsoleFailed({ title, reason, onRetry }: ConsoleFailedProps) {
  return (
    <Message mark={<TriangleAlert {...icon} className="text-red-text" />}>
      <h2 className="text-base font-medium">{title}</h2>
      <p className="text-secondary">Please try again.</p>
      {reason && <p className="max-w-md text-balance text-tertiary">{reason}</p>}
      <Button className="mt-4" onClick={onRetry}>
        Try again
      </Button>
    </Message>
  )
}

const widths = [38, 54, 21, 62, 47, 33, 71, 28, 57, 44, 66, 25, 49, 36]

/** Placeholder lines for the output. */
export function ConsoleSkeleton({ text }: { text: string }) {
  return (
    <div className="relative flex-1 overflow-hidden">
      <div aria-hidden className="flex flex-col gap-3 px-(--gutter) py-4">
        {widths.map((width) => (
          <span
            key={width}
            className="h-3 animate-pulse rounded-sm bg-skeleton"
            style={{ width: `${width}%` }}
          />
        ))}
      </div>
      <div className="absolute inset-0 flex items-center justify-center">
        <output className="flex items-center gap-2.5 rounded-card border border-line-strong bg-floating px-4 py-2.5 shadow-floating">
          <Spinner />
          {text}
        </output>
      </div>
    </div>
  )
}

/** Bar above the output while the connection is lost. */
export function Reconnecting({ state, onRetry }: { state: ConnectionState; onRetry: () => void }) {
  return (
    <output className="flex shrink-0 items-center gap-2.5 border-b border-amber-border bg-amber-surface px-(--gutter) py-1.5 text-amber-text">
      {state.status === 'connecting' ? (
        <Spinner />
      ) : (
        <Plug size={16} strokeWidth={1.5} aria-hidden className="shrink-0" />
      )}
      <span className="min-w-0 flex-1">
        Connection lost{state.reason && `: ${state.reason}`}.{' '}
        {state.retryAt ? <Countdown key={state.retryAt} until={state.retryAt} /> : 'Reconnecting…'}
      </span>
      {state.status === 'waiting' && (
        <Button size="sm" onClick={onRetry}>
          Reconnect now
        </Button>
      )}
    </output>
  )
}

/** Hidden from screen readers, which would announce each second. */
function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 250)
    return () => clearInterval(timer)
  }, [])
  const seconds = Math.max(0, Math.ceil((until - now) / 1000))
  return (
    <span aria-hidden className="tabular-nums">
      Reconnecting in {seconds} s.
    </span>
  )
}
