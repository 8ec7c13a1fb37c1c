import { useEffect, useState } from 'react'
import { cx } from './cx.ts'
import { tooltip } from './tooltip.tsx'

const dateFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const timeFormat = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })
const bothFormat = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** Time zone of this computer. */
export const ownTimeZone = (): string => timeFormat.resolvedOptions().timeZone

const formatDateTime = (date: Date): string => bothFormat.format(date)

export const formatDate = (date: Date): string => dateFormat.format(date)

/** `5:58 PM` */
export const formatTime = (at: Date | number): string => timeFormat.format(at)

/** A moment in running text: the time, with its date unless that is today. */
export const formatMoment = (date: Date, now = new Date()): string =>
  (date.toDateString() === now.toDateString() ? timeFormat : bothFormat).format(date)

/** Date and dimmed time, without a comma, for table cells. */
export function DateTime({ date }: { date: Date }) {
  return (
    <time dateTime={date.toISOString()} className="whitespace-nowrap tabular-nums">
      {`${dateFormat.format(date)} `}
      <span className="ms-1 text-tertiary">{timeFormat.format(date)}</span>
    </time>
  )
}

const steps: [unit: string, seconds: number][] = [
  ['y', 31_536_000],
  ['mo', 2_592_000],
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
]

/** Strict distance with short units: `59s 1m 23h 28d 7mo 1y`. */
export function formatDistance(from: Date, now = Date.now()): string {
  const seconds = Math.max(0, Math.floor((now - from.getTime()) / 1000))
  for (const [unit, size] of steps) {
    if (seconds >= size) return `${Math.floor(seconds / size)}${unit}`
  }
  return `${seconds}s`
}

/** All relative times of a page tick together, every second if one is recent. */
const listeners = new Set<() => void>()
let ticking: ReturnType<typeof setInterval> | undefined
function onTick(listener: () => void) {
  listeners.add(listener)
  ticking ??= setInterval(() => listeners.forEach((each) => each()), 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) {
      clearInterval(ticking)
      ticking = undefined
    }
  }
}

export function TimeAgo({
  date,
  caption = 'Created',
  ago = false,
  className,
}: {
  date: Date
  caption?: string
  ago?: boolean
  className?: string
}) {
  const [text, setText] = useState(() => formatDistance(date))
  useEffect(() => {
    const update = () => setText(formatDistance(date))
    update()
    return onTick(update)
  }, [date])
  return (
    <time
      dateTime={date.toISOString()}
      className={cx('tabular-nums', className)}
      {...tooltip(`${caption}\n${formatDateTime(date)}`)}
    >
      {ago ? `${text} ago` : text}
    </time>
  )
}
