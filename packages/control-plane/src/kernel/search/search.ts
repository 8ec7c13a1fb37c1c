import type { OperationId, Wire } from '@steading/api'
import type { Work } from '../work.ts'
import type { Filter } from './filters.ts'
import type { Handle } from './handles.ts'

type Query<Op extends OperationId> = Wire.Operations[Op]['query']
type ColumnOf<Mode> = Mode extends `${infer Column}_ascending` ? Column : never
/** The sorts that the contract declares for an operation. */
type SortedBy<Op extends OperationId> =
  Query<Op> extends { sort_by?: infer Mode } ? ColumnOf<Mode> : never
/** Parameters of every list. */
type Paging =
  | 'limit'
  | 'page_token'
  | 'sort_by'
  | 'search'
  | 'tag'
  | 'group_by'
  | 'with'
  | 'count_by'
/** Parameters that select the list. */
type Parent = 'project' | 'vpc' | 'router' | 'silo'
type FilteredBy<Op extends OperationId> = Exclude<keyof Query<Op>, Paging | Parent> & string
type ItemOf<Op extends OperationId> = Wire.Operations[Op]['result'] extends {
  items: (infer Item)[]
}
  ? Item
  : never

/** How a column is sorted: text byte by byte, numbers by value. */
export interface SortColumn {
  column: string
  kind: 'text' | 'number'
  /** May be null, which comes before every text. */
  nullable?: true
  /** No two rows of a list have the same value. */
  unique?: true
}

export const text = (column: string): SortColumn => ({ column, kind: 'text' })
export const number = (column: string): SortColumn => ({ column, kind: 'number' })
export const nullableText = (column: string): SortColumn => ({
  column,
  kind: 'text',
  nullable: true,
})

/** The sorts of every search. Names are unique in a list, and so are their keys. */
export const usualSorts = {
  name: { column: 'name', kind: 'text', unique: true },
  natural_name: { column: 'name_key', kind: 'text', unique: true },
  description: text('description'),
  time_created: text('time_created'),
} satisfies Record<string, SortColumn>

/**
 * How the rows of a kind are searched, sorted and filtered. Each sort needs an index on (parent,
 * column, id) of the live rows, without the id if it is unique; of a column that may be null, on
 * `coalesce(column, '')`.
 */
export interface Search<Row, Item, Sort extends string, Filtered extends string> {
  operation: OperationId
  /** Text columns that a search covers. */
  searched: readonly string[]
  /** Further values by which a resource is found: addresses, including those of its parts. */
  handles?: readonly Handle[]
  /** Columns that the answer and the sorts need; all by default. */
  select?: readonly string[]
  sorts: Record<Sort, SortColumn>
  filters: Record<Filtered, Filter>
  // A method, so that a search of particular rows is assignable to one of any rows.
  toWire(rows: Row[], work: Pick<Work, 'db' | 'services' | 'actor'>): Item[] | Promise<Item[]>
}
export type AnySearch = Search<unknown, unknown, string, string>

/**
 * Declares the search of an operation. The types demand all sorts and filters of the contract, and
 * no others.
 */
export const searchOf = <Op extends OperationId, Row>(
  operation: Op,
  search: Omit<Search<Row, ItemOf<Op>, SortedBy<Op>, FilteredBy<Op>>, 'operation'>,
): AnySearch => ({ operation, ...search })

/** For answers that need only their rows. */
export const each =
  <Row, Item>(toWire: (row: Row) => Item) =>
  (rows: Row[]): Item[] =>
    rows.map((row) => toWire(row))

/** The columns that every search covers. */
export const described = ['name', 'description']
