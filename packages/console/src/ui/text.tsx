import type { ReactNode } from 'react'
import { cut } from './cut.tsx'
import { cx } from './cx.ts'
import { formatNumber, inByteUnit } from './number.ts'

export const EmptyCell = () => <span className="empty-cell text-tertiary">—</span>

/** A name in a sentence. */
export const Strong = ({ children }: { children: ReactNode }) => (
  <b className="font-medium wrap-anywhere text-primary">{children}</b>
)

type CutProps = {
  text: string
  className?: string
  /** Turns it into a link that opens in a new tab. */
  href?: string
  /** Whether it is cut in the middle; by default a text without spaces is. */
  isName?: boolean
}

/** One line: a name is cut in the middle, another text at its end. The tooltip has all of it. */
export function Truncate({ text, className, href, isName }: CutProps) {
  const line = cut(text, cx('block min-w-0', className), isName)
  if (!href) return <span {...line} />
  return (
    <a {...line} href={href} target="_blank" rel="noreferrer">
      {line.children}
    </a>
  )
}

export function Description({ text }: { text: string | null | undefined }) {
  return text ? <Truncate text={text} className="text-secondary" /> : <EmptyCell />
}

export function Mono({ children, className }: { children: ReactNode; className?: string }) {
  return <span className={cx('font-mono text-xs tracking-tight', className)}>{children}</span>
}

type QuantityProps = { value: string | number; unit: string; unitClass?: string }

/**
 * A value with a dimmed unit. It has as few elements as possible, like everything in table
 * rows: each element costs fifty times per list.
 */
export const Quantity = ({ value, unit, unitClass }: QuantityProps) => (
  <>
    {`${value} `}
    <span className={cx('text-tertiary', unitClass)}>{unit}</span>
  </>
)

/** Binary units, at most two decimals, whole bytes. */
export function Size({ bytes }: { bytes: number }) {
  const { amount, unit } = inByteUnit(bytes)
  return <Quantity value={formatNumber(amount)} unit={unit} />
}
