import { Suspense } from 'react'
import { TAGS_COLUMN } from '../data/list-search.ts'
import type { Column } from '../ui/column.ts'
import { lazyPart } from '../ui/lazy-part.ts'
import { CellLink } from '../ui/link.tsx'
import { Description, Size, Truncate } from '../ui/text.tsx'
import { DateTime } from '../ui/time.tsx'

/** Time of creation. */
export const createdColumn = {
  id: 'created',
  header: 'created',
  sort: 'time_created',
  width: 176,
  spare: 2,
  cell: ({ timeCreated }: { timeCreated: Date }) => <DateTime date={timeCreated} />,
} as const

export const descriptionColumn = {
  id: 'description',
  header: 'description',
  sort: 'description',
  spare: 1,
  cell: ({ description }: { description: string }) =>
    description ? <Description text={description} /> : null,
} as const

const TagsCell = lazyPart(() => import('../workspace/tags/tags-cell.tsx'))

/** The column of tags, which every list has. Its code is loaded once it is shown. */
export const tagsColumn = {
  id: TAGS_COLUMN,
  header: 'tags',
  optional: true,
  width: 208,
  cell: (row: object) => (
    <Suspense>
      <TagsCell {...row} />
    </Suspense>
  ),
} as const

/** Columns of many kinds, by their ids. The state of a kind needs a cell. */
const usualColumns = {
  name: {
    header: 'name',
    sort: 'name',
    cell: ({ name }: { name: string }) => <Truncate text={name} className="font-medium" />,
  },
  description: descriptionColumn,
  state: { header: 'state', sort: 'state', width: 128, phone: 'first' },
  size: {
    header: 'size',
    sort: 'size',
    width: 96,
    align: 'end',
    phone: 'second',
    cell: ({ size }: { size: number }) => <Size bytes={size} />,
  },
  created: createdColumn,
} as const

type UsualId = keyof typeof usualColumns

/** A column of a list: whole, or the id of a usual column, with what differs from it. */
export type ListColumn<Row> =
  | Column<Row>
  | Exclude<UsualId, 'state'>
  | (Omit<Partial<Column<Row>>, 'id' | 'header'> & { id: UsualId; header?: undefined })

/**
 * The columns of a list, with what they take from the usual ones.
 * @param leadTo the path of a row's page, to which the usual name is a link
 */
export const wholeColumns = <Row,>(
  columns: readonly ListColumn<Row>[],
  leadTo?: (row: Row) => string,
): Column<Row>[] =>
  columns.map((column) => {
    if (typeof column === 'object' && column.header !== undefined) return column
    const own = typeof column === 'string' ? { id: column } : column
    const link = {
      cell: (row: Row) => (
        <CellLink to={leadTo!(row) as '/'}>{(row as { name: string }).name}</CellLink>
      ),
    }
    return {
      ...usualColumns[own.id],
      ...(leadTo && own.id === 'name' ? link : {}),
      ...own,
    } as Column<Row>
  })
