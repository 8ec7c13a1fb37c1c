import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { CopyableId, CopyButton } from './copy-button.tsx'
import { DateTime } from './time.tsx'
import { Description, EmptyCell, Truncate } from './text.tsx'

const rowsClass = {
  2: 'md:grid-rows-2',
  3: 'md:grid-rows-3',
  4: 'md:grid-rows-4',
  5: 'md:grid-rows-5',
}

interface PropertiesTableProps {
  columns?: 1 | 2
  /** Rows of the first of two columns, which is filled before the second. */
  rows?: keyof typeof rowsClass
  className?: string
  children: ReactNode
}

/** Label/value grid with `PropertiesTable.Row` and its variants as children. */
export function PropertiesTable({ columns = 1, rows, className, children }: PropertiesTableProps) {
  return (
    <dl
      aria-label="Properties table"
      className={cx(
        'grid gap-px tabular-nums overflow-hidden rounded-card border bg-line',
        columns === 2 && 'md:grid-cols-2',
        // The last of an odd number takes the place of two.
        columns === 2 && !rows && 'md:*:last:odd:col-span-2',
        // An empty cell ends the second column of an odd number.
        rows &&
          `md:grid-flow-col md:has-[>:last-child:nth-child(odd)]:after:bg-raised md:has-[>:last-child:nth-child(odd)]:after:content-[''] ${rowsClass[rows]}`,
        className,
      )}
    >
      {children}
    </dl>
  )
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex min-h-10 min-w-0 items-center gap-4 bg-raised px-3 py-1.5">
      <dt className="w-28 shrink-0 text-secondary sm:w-34">{label}</dt>
      <dd className="min-w-0 flex-1">{children ?? <EmptyCell />}</dd>
    </div>
  )
}

PropertiesTable.Row = Row
PropertiesTable.IdRow = ({ id, label = 'ID' }: { id: string; label?: string }) => (
  <Row label={label}>
    <CopyableId id={id} className="max-w-full" />
  </Row>
)
PropertiesTable.DescriptionRow = ({ description }: { description: string }) => (
  <Row label="Description">
    <Description text={description} />
  </Row>
)
PropertiesTable.DateRow = ({ date, label }: { date: Date; label: string }) => (
  <Row label={label}>
    <DateTime date={date} />
  </Row>
)
PropertiesTable.CopyRow = ({ text, label }: { text: string; label: string }) => (
  <Row label={label}>
    <span className="flex min-w-0 items-center gap-1">
      <Truncate text={text} />
      <CopyButton text={text} />
    </span>
  </Row>
)
