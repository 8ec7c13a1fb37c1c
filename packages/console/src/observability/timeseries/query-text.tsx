import { type Highlight, highlight } from '@steading/oxql/syntax'
import type { ReactNode } from 'react'
import { cx } from '../../ui/cx.ts'

const colours: Record<Highlight['kind'], string | undefined> = {
  operation: 'text-accent-text',
  function: 'text-accent-text',
  timeseries: 'text-blue-text',
  field: undefined,
  operator: 'text-secondary',
  punctuation: 'text-secondary',
  number: 'text-amber-text',
  string: 'text-green-text',
  timestamp: 'text-green-text',
  boolean: 'text-amber-text',
  invalid: 'text-red-text',
}

type QueryTextProps = {
  text: string
  /** The text with foreign parts masked, if it has any. */
  parsed?: string
  /** Range to underline. */
  wrong?: { start: number; end: number }
  /** A node before the character at this offset. */
  mark?: { at: number; node: ReactNode }
}

/** A query with syntax colours. */
export function QueryText({ text, parsed = text, wrong, mark }: QueryTextProps) {
  const words = highlight(parsed)
  const edges = new Set([0, text.length])
  for (const { start, end } of words) edges.add(start).add(end)
  if (wrong) edges.add(wrong.start).add(wrong.end)
  if (mark) edges.add(mark.at)
  const sorted = [...edges].filter((edge) => edge <= text.length).toSorted((a, b) => a - b)
  // The error may be at the end of the text.
  const atEnd = wrong && wrong.start >= text.length
  let word = 0
  return (
    <>
      {sorted.map((start, at) => {
        const end = sorted[at + 1] ?? start
        while (word < words.length && words[word]!.end <= start) word++
        const of = words[word]
        const kind = of && of.start <= start ? of.kind : undefined
        const isWrong = wrong && start >= wrong.start && end <= wrong.end && start < end
        return (
          <span key={start}>
            {mark?.at === start && mark.node}
            <span className={cx(kind && colours[kind], isWrong && WRONG)}>
              {text.slice(start, end)}
            </span>
          </span>
        )
      })}
      {atEnd && <span className={WRONG}>&nbsp;</span>}
    </>
  )
}

const WRONG =
  'underline decoration-red-text decoration-wavy decoration-from-font underline-offset-4'
