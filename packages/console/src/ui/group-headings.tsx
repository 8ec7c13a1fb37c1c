import type { Column } from './column.ts'

/**
 * Headings of groups of columns. Hidden from screen readers, because the header of each column
 * repeats its group.
 */
export function GroupHeadings<Row>({
  columns,
  before = false,
  after = false,
}: GroupHeadingsProps<Row>) {
  const groups = [
    ...(before ? [undefined] : []),
    ...columns.map(({ group }) => group),
    ...(after ? [undefined] : []),
  ]
  const spans: { group: string | undefined; count: number }[] = []
  for (const group of groups) {
    const last = spans.at(-1)
    if (last && last.group === group) last.count++
    else spans.push({ group, count: 1 })
  }
  return (
    <tr aria-hidden className="group-headings">
      {spans.map(({ group, count }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- without state
        <th key={index} colSpan={count}>
          {group && <span className="label">{group}</span>}
        </th>
      ))}
    </tr>
  )
}

type GroupHeadingsProps<Row> = {
  columns: Column<Row>[]
  /** The table has a column for the selection. */
  before?: boolean
  /** The table has a column for actions. */
  after?: boolean
}
