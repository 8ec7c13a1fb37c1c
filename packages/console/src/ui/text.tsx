import { useLayoutEffect, useRef, type ReactNode, type RefObject } from 'react'
import { cx } from './cx.ts'
import { fitText } from './fit-text.ts'
import { formatNumber, inByteUnit } from './number.ts'
import { tooltip } from './tooltip.tsx'

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
}

const elementOf = ({ href, text }: CutProps) => {
  const attributes = tooltip(text, 'truncated')
  return href
    ? ({
        Element: 'a',
        attributes: { ...attributes, href, target: '_blank', rel: 'noreferrer' },
      } as const)
    : ({ Element: 'span', attributes } as const)
}

/** Truncated at the end by the browser; the full text is in a tooltip while it does not fit. */
export function Truncate(props: CutProps) {
  const { Element, attributes } = elementOf(props)
  return (
    <Element className={cx('block truncate', props.className)} {...attributes}>
      {props.text}
    </Element>
  )
}

export function Description({ text }: { text: string | null | undefined }) {
  return text ? <Truncate text={text} className="text-secondary" /> : <EmptyCell />
}

/**
 * Length of an IPv4 address. Texts up to this length fit nearly everywhere, and are not
 * measured.
 */
const SHORT = 15

/** Truncated in the middle to the rendered width, for identifiers whose two ends matter. */
export const MiddleTruncate = (props: CutProps) =>
  props.text.length <= SHORT ? <Truncate {...props} /> : <Fitted {...props} />

function Fitted(props: CutProps) {
  const { text, className } = props
  const { Element, attributes } = elementOf(props)
  const ref = useRef<HTMLElement>(null)
  useLayoutEffect(() => fitText(ref.current!, text), [text])
  return (
    <Element
      ref={ref as RefObject<never>}
      aria-label={text}
      className={cx('block min-w-0 overflow-hidden whitespace-nowrap', className)}
      {...attributes}
    />
  )
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
