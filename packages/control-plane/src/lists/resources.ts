import type { OperationId, Wire } from '@steading/api'
import type { Context } from '../context.ts'
import type { Database } from '../db/schema.ts'
import { type DiskRow, viewDisk } from '../disks/view.ts'
import { type InstanceRow, viewColumns, viewInstance } from '../instances/view.ts'
import type { ProjectRow } from '../projects/lookup.ts'
import { viewProject } from '../projects/view.ts'

type Query<Op extends OperationId> = Wire.Operations[Op]['query']
type ColumnOf<Mode> = Mode extends `${infer Column}_ascending` ? Column : never
/** What the contract sorts by. */
type SortedBy<Op extends OperationId> =
  Query<Op> extends { sort_by?: infer Mode } ? ColumnOf<Mode> : never
type Paging = 'limit' | 'page_token' | 'sort_by' | 'search' | 'project'
type FilteredBy<Op extends OperationId> = Exclude<keyof Query<Op>, Paging>

/** How the values of a column compare: text byte by byte, numbers as numbers. */
export interface SortColumn {
  column: string
  kind: 'text' | 'number'
  /** May be null; that comes before every text. */
  nullable?: true
}

export const text = (column: string): SortColumn => ({ column, kind: 'text' })
export const number = (column: string): SortColumn => ({ column, kind: 'number' })
export const nullableText = (column: string): SortColumn => ({
  column,
  kind: 'text',
  nullable: true,
})

/**
 * What a list is made of. Each sort needs an index on (parent, column, id) of live rows; of a column
 * that may be null, on `coalesce(column, '')`.
 */
export interface ListResource<Row, View, Sort extends string, Filter extends string> {
  table: keyof Database
  /** Column of the project or silo the rows are in. */
  parent: 'project_id' | 'silo_id'
  /** Columns the view needs; all unless told. */
  select?: readonly string[]
  sorts: Record<Sort, SortColumn>
  /** Parameter → column that has one of its words. */
  filters: Record<Filter, string>
  view: (row: Row, ctx: Context) => View
}

type ResourceOf<Op extends OperationId, Row> = Wire.Operations[Op]['result'] extends {
  items: (infer View)[]
}
  ? ListResource<Row, View, SortedBy<Op>, FilteredBy<Op> & string>
  : never

export const instances: ResourceOf<'instance_search', InstanceRow> = {
  table: 'instance',
  parent: 'project_id',
  select: viewColumns,
  sorts: {
    name: text('name'),
    state: text('run_state'),
    time_run_state_updated: text('time_run_state_updated'),
    ncpus: number('ncpus'),
    memory: number('memory'),
    time_created: text('time_created'),
    time_last_auto_restarted: nullableText('time_last_auto_restarted'),
  },
  filters: { state: 'run_state' },
  view: (row, ctx) => viewInstance(row, ctx.services.settings.autoRestartCooldownMs),
}

export const disks: ResourceOf<'disk_search', DiskRow> = {
  table: 'disk',
  parent: 'project_id',
  sorts: {
    name: text('name'),
    state: text('state'),
    type: text('disk_type'),
    size: number('size'),
    time_created: text('time_created'),
  },
  filters: { state: 'state', type: 'disk_type' },
  view: viewDisk,
}

export const projects: ResourceOf<'project_search', ProjectRow> = {
  table: 'project',
  parent: 'silo_id',
  sorts: {
    name: text('name'),
    description: text('description'),
    time_created: text('time_created'),
  },
  filters: {},
  view: viewProject,
}
