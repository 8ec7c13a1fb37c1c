import { NAME_MAX } from '../../rules/names.ts'
import { ListedKind } from '../find/schemas.ts'
import { LIST_MAX, PARTS_MAX, VIEW_PART_MAX } from '../../rules/limits.ts'
import { SavedName } from './saved-name.ts'
import {
  answerMap,
  array,
  dateTime,
  integer,
  list,
  map,
  NameOrId,
  record,
  type Schema,
  string,
  text,
  uuid,
} from '../../schema.ts'

/** Views are shown in order of position; the plain list is at zero. */
const Position = integer('int32', 'i32', -(2 ** 31), 2 ** 31 - 1)

const short = (schema: Schema, name: string): Schema =>
  schema.refine((value) => JSON.stringify(value).length <= VIEW_PART_MAX, {
    message: `${name} may have at most ${VIEW_PART_MAX} characters`,
  })

const ColumnId = text(63, { pattern: '^[a-z0-9-]{1,63}$' }, (value) =>
  /^[a-z0-9-]{1,63}$/.test(value) ? undefined : 'a column is named by letters, digits and dashes',
)

/** Query parameters of the list in `/x/v1`: `search`, its filters and `sort_by`. */
const query = short(map(text(VIEW_PART_MAX), PARTS_MAX, NAME_MAX), 'query')
/** Displayed columns, by the client's own names; null for the default. */
const columns = short(array(ColumnId, LIST_MAX), 'columns').nullable()

export const SavedView = record('SavedView', {
  id: uuid,
  name: SavedName,
  /** Kind of the listed resources. */
  list: ListedKind,
  /** Project in which the view is shared; null for the caller's own view. */
  project_id: uuid.nullable(),
  query: answerMap(string),
  columns: list(string).nullable(),
  position: Position,
  time_created: dateTime,
  time_modified: dateTime,
})

export const SavedViews = record('SavedViews', { items: list(SavedView) })

export const SavedViewCreate = record('SavedViewCreate', {
  name: SavedName,
  list: ListedKind,
  /** Shares the view in this project. */
  project: NameOrId.nullable().optional(),
  query,
  columns: columns.optional(),
  /** Default: after all others. */
  position: Position.nullable().optional(),
})

/** Absent fields remain unchanged. */
export const SavedViewUpdate = record('SavedViewUpdate', {
  name: SavedName.nullable().optional(),
  query: query.nullable().optional(),
  columns: columns.optional(),
  position: Position.nullable().optional(),
})
