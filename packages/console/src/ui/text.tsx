import { useLayoutEffect, useRef, type ReactNode } from 'react'
import { cx } from './cx.ts'
import { fitText } from './fit-text.ts'
import { tooltip } from './tooltip.tsx'

export const EmptyCell = () => <span className="empty-cell text-tertiary">—</span>

/** A name in a sentence. */
export const Strong = ({ children }: { children: ReactNode }) => (
  <b className="font-medium wrap-anywhere text-primary">{children}</b>
)

/** Cut at the end by the browser; the full text is in a tooltip while it does not fit. */
export function Truncate({ text, className }: { text: string; className?: string }) {
  return (
    <span className={cx('block truncate', className)} {...tooltip(text, 'truncated')}>
      {text}
    </span>
  )
}

export function Description({ text }: { text: string | null | undefined }) {
  return text ? <Truncate text={text} className="text-secondary" /> : <EmptyCell />
}

/** So long is an IPv4 address. What is no longer fits nearly everywhere, and is not measured. */
const SHORT = 15

/** Cut in the middle to the rendered width, for identifiers whose two ends matter. */
export const MiddleTruncate = ({ text, className }: { text: string; className?: string }) =>
  text.length <= SHORT ? (
    <Truncate text={text} className={className} />
  ) : (
    <Fitted text={text} className={className} />
  )

function Fitted({ text, className }: { text: string; className?: string }) {
  const ref = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => fitText(ref.current!, text), [text])
  return (
    <span
      ref={ref}
      aria-label={text}
      className={cx('block min-w-0 overflow-hidden whitespace-nowrap', className)}
      {...tooltip(text, 'truncated')}
    />
  )
}

export function Mono({ children, className }: { children: ReactNode; className?: string }) {
  return <span className={cx('font-mono text-xs tracking-tight', className)}>{children}</span>
}

/** A value with a dimmed unit. */
function Quantity({ value, unit }: { value: string | number; unit: string }) {
  return (
    <span className="whitespace-nowrap tabular-nums">
      {value} <span className="text-tertiary">{unit}</span>
    </span>
  )
}

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB']

/** Binary units, at most two decimals, whole bytes. */
export function Size({ bytes }: { bytes: number }) {
  const exponent =
    bytes < 1024 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), byteUnits.length - 1)
  return (
    <Quantity
      value={Math.round((bytes / 1024 ** exponent) * 100) / 100}
      unit={byteUnits[exponent]!}
    />
  )
}
