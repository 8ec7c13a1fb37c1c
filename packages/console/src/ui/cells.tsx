import type { ReactNode } from 'react'
import { Check, X } from 'lucide-react'
import { EmptyCell } from './text.tsx'
import { tooltip } from './tooltip.tsx'

/** The first item and how many more there are; the rest is in a titled tooltip. */
export function ListPlusCell({
  title,
  items,
}: {
  title: string
  items: { text: string; content?: ReactNode }[]
}) {
  const [first, ...rest] = items
  if (!first) return <EmptyCell />
  return (
    <span className="inline-flex items-center gap-1.5">
      {first.content ?? first.text}
      {rest.length > 0 && (
        <span
          className="rounded-full border border-line-strong px-1.5 text-xs text-secondary"
          {...tooltip([title, ...rest.map((item) => item.text)].join('\n'))}
        >
          +{rest.length}
        </span>
      )}
    </span>
  )
}

export function BooleanCell({ value }: { value: boolean }) {
  const Icon = value ? Check : X
  return (
    <Icon
      size={16}
      strokeWidth={1.5}
      // eslint-disable-next-line jsx-a11y/prefer-tag-over-role -- it draws an svg
      role="img"
      aria-label={String(value)}
      className={value ? 'text-green-text' : 'text-tertiary'}
    />
  )
}
