import type { OperationId, Wire } from '@steading/api'
import { type GroupRow, type GroupView, viewGroup } from '../affinity/groups.ts'
import { memberCounts } from '../affinity/members.ts'
import type { Context } from '../../kernel/context.ts'
import type { Database } from '../../kernel/db/schema.ts'
import { type DiskRow, viewDisk } from '../disks/view.ts'
import { externalIpsOf } from '../external-ips/of-instances.ts'
import { type ExternalIpRow, viewFloatingIp } from '../external-ips/view.ts'
import type { ImageRow } from '../images/lookup.ts'
import { viewImage } from '../images/view.ts'
import { type InstanceRow, viewColumns, viewInstance } from '../instances/view.ts'
import type { ProjectRow } from '../projects/lookup.ts'
import { viewProject } from '../projects/view.ts'
import type { SnapshotRow } from '../snapshots/change.ts'
import { viewSnapshot } from '../snapshots/view.ts'
import { sshKeyView, type SshKeyRow } from '../ssh-keys/handlers.ts'
import { type Filter, oneOf, pools, present } from '../../kernel/lists/filters.ts'

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
  /** No two rows of a list have the same. */
  unique?: true
}

/** Names are unique, and have had an index since there are lists. */
const name: SortColumn = { column: 'name', kind: 'text', unique: true }
const text = (column: string): SortColumn => ({ column, kind: 'text' })
const number = (column: string): SortColumn => ({ column, kind: 'number' })
const nullableText = (column: string): SortColumn => ({ column, kind: 'text', nullable: true })

const live = 'time_deleted is null'

/**
 * What a list is made of. Each sort needs an index on (parent, column, id) of its rows, without the
 * id if it is unique; of a column that may be null, on `coalesce(column, '')`.
 */
export interface ListResource<Row, View, Sort extends string, Filtered extends string> {
  table: keyof Database
  /** Column of the project, silo or user the rows are of. */
  parent: 'project_id' | 'silo_id' | 'silo_user_id'
  /** Which of their rows, in the words of the indexes. */
  rows: string
  /** Columns of text that a search looks into. */
  searched: readonly string[]
  /** Columns the view needs; all unless told. */
  select?: readonly string[]
  sorts: Record<Sort, SortColumn>
  filters: Record<Filtered, Filter>
  views: (rows: Row[], ctx: Context) => View[] | Promise<View[]>
}

type ResourceOf<Op extends OperationId, Row> = Wire.Operations[Op]['result'] extends {
  items: (infer View)[]
}
  ? ListResource<Row, View, SortedBy<Op>, FilteredBy<Op> & string>
  : never

const each =
  <Row, View>(view: (row: Row) => View) =>
  (rows: Row[]): View[] =>
    rows.map((row) => view(row))

const described = ['name', 'description']

export const instances: ResourceOf<'instance_search', InstanceRow> = {
  table: 'instance',
  parent: 'project_id',
  rows: live,
  searched: described,
  select: viewColumns,
  sorts: {
    name,
    description: text('description'),
    state: text('run_state'),
    time_run_state_updated: text('time_run_state_updated'),
    ncpus: number('ncpus'),
    memory: number('memory'),
    time_created: text('time_created'),
    time_last_auto_restarted: nullableText('time_last_auto_restarted'),
  },
  filters: { state: oneOf('run_state') },
  async views(rows, { db, services }) {
    const ips = await externalIpsOf(
      db,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => ({
      ...viewInstance(row, services.settings.autoRestartCooldownMs),
      external_ips: ips.get(row.id)!,
    }))
  },
}

export const disks: ResourceOf<'disk_search', DiskRow> = {
  table: 'disk',
  parent: 'project_id',
  rows: live,
  searched: described,
  sorts: {
    name,
    description: text('description'),
    state: text('state'),
    type: text('disk_type'),
    size: number('size'),
    time_created: text('time_created'),
  },
  filters: { state: oneOf('state'), type: oneOf('disk_type') },
  views: each(viewDisk),
}

export const snapshots: ResourceOf<'snapshot_search', SnapshotRow> = {
  table: 'snapshot',
  parent: 'project_id',
  rows: live,
  searched: described,
  sorts: {
    name,
    description: text('description'),
    state: text('state'),
    size: number('size'),
    time_created: text('time_created'),
  },
  filters: { state: oneOf('state') },
  views: each(viewSnapshot),
}

export const projectImages: ResourceOf<'image_search', ImageRow> = {
  table: 'image',
  parent: 'project_id',
  rows: `${live} and project_id is not null`,
  searched: [...described, 'os', 'version'],
  sorts: {
    name,
    description: text('description'),
    os: text('os'),
    version: text('version'),
    size: number('size'),
    time_created: text('time_created'),
  },
  filters: {},
  views: each(viewImage),
}
export const siloImages: typeof projectImages = {
  ...projectImages,
  parent: 'silo_id',
  rows: `${live} and project_id is null`,
}

export const floatingIps: ResourceOf<'floating_ip_search', ExternalIpRow> = {
  table: 'external_ip',
  parent: 'project_id',
  rows: 'name is not null',
  searched: [...described, 'ip'],
  sorts: {
    name,
    description: text('description'),
    ip: text('ip_key'),
    time_created: text('time_created'),
  },
  filters: { attached: present('instance_id'), pool: pools('ip_pool_id') },
  views: each(viewFloatingIp),
}

type ListedGroup = GroupView & { member_count: number }
type Groups = ListResource<GroupRow, ListedGroup, SortedBy<'affinity_group_search'>, 'policy'>

export const affinityGroups: Groups = {
  table: 'affinity_group',
  parent: 'project_id',
  rows: `${live} and kind = 'affinity'`,
  searched: described,
  sorts: {
    name,
    description: text('description'),
    policy: text('policy'),
    time_created: text('time_created'),
  },
  filters: { policy: oneOf('policy') },
  async views(rows, { db }) {
    const counts = await memberCounts(
      db,
      rows.map(({ id }) => id),
    )
    return rows.map((row) => ({ ...viewGroup(row), member_count: counts.get(row.id) ?? 0 }))
  },
}
export const antiAffinityGroups: Groups = {
  ...affinityGroups,
  rows: `${live} and kind = 'anti_affinity'`,
}

export const projects: ResourceOf<'project_search', ProjectRow> = {
  table: 'project',
  parent: 'silo_id',
  rows: live,
  searched: described,
  sorts: {
    name,
    description: text('description'),
    time_created: text('time_created'),
  },
  filters: {},
  views: each(viewProject),
}

export const sshKeys: ResourceOf<'current_user_ssh_key_search', SshKeyRow> = {
  table: 'ssh_key',
  parent: 'silo_user_id',
  rows: live,
  searched: described,
  sorts: {
    name,
    description: text('description'),
    time_created: text('time_created'),
  },
  filters: {},
  views: each(sshKeyView),
}
