import { isUuid, type ResourceKind } from '@steading/api/rules'
import type { Selectable } from 'kysely'
import type { Scope } from './authz/actor.ts'
import { authorize } from './authz/authorize.ts'
import type { Context } from './context.ts'
import type { Database } from './db/schema.ts'
import { lookupProject } from '../resources/projects/lookup.ts'
import { fail } from './errors.ts'

/** A kind of thing that belongs to a project, directly or inside something else. */
interface ChildKind {
  /** What messages call it. */
  type: string
  /** What it belongs to; its column here is `{parent}_id`. */
  parent: 'project' | ChildName
  /** Its table, if several kinds share one: rows are told apart by `kind`. */
  among?: { table: keyof Database; kind: string }
  /** The row of the permission table it goes by, if that has another name. */
  access?: ResourceKind
  /** Rows are removed when the thing is deleted, instead of being marked. */
  removed?: true
  /** Messages about selectors, which differ a little from kind to kind (control plane 1.5). */
  both: string
  neither: string
}

/** Kind → row of its table. */
interface ChildRows {
  instance: Selectable<Database['instance']>
  disk: Selectable<Database['disk']>
  snapshot: Selectable<Database['snapshot']>
  vpc: Selectable<Database['vpc']>
  vpc_subnet: Selectable<Database['vpc_subnet']>
  network_interface: Selectable<Database['network_interface']>
  floating_ip: Selectable<Database['external_ip']>
  affinity_group: Selectable<Database['affinity_group']>
  anti_affinity_group: Selectable<Database['affinity_group']>
}
type ChildName = keyof ChildRows

const childKinds: Record<ChildName, ChildKind> = {
  instance: {
    type: 'instance',
    parent: 'project',
    both: 'when providing instance as an ID project should not be specified',
    neither: 'instance should either be UUID or project should be specified',
  },
  disk: {
    type: 'disk',
    parent: 'project',
    both: 'when providing disk as an ID project should not be specified',
    neither: 'disk should either be UUID or project should be specified',
  },
  snapshot: {
    type: 'snapshot',
    parent: 'project',
    both: 'when providing snapshot as an ID, project should not be specified',
    neither: 'snapshot should either be an ID or project should be specified',
  },
  vpc: {
    type: 'vpc',
    parent: 'project',
    both: 'when providing vpc as an ID, project should not be specified',
    neither: 'vpc should either be an ID or project should be specified',
  },
  vpc_subnet: {
    type: 'vpc-subnet',
    parent: 'vpc',
    both: 'when providing subnet as an ID, vpc and project should not be specified',
    neither: 'subnet should either be an ID or vpc should be specified',
  },
  network_interface: {
    type: 'instance-network-interface',
    parent: 'instance',
    removed: true,
    both: 'when providing network_interface as an id instance and project should not be specified',
    neither: 'network_interface should either be a UUID or instance should be specified',
  },
  floating_ip: {
    type: 'floating-ip',
    parent: 'project',
    among: { table: 'external_ip', kind: 'floating' },
    removed: true,
    both: 'when providing Floating IP as an ID project should not be specified',
    neither: 'Floating IP should either be UUID or project should be specified',
  },
  affinity_group: {
    type: 'affinity-group',
    parent: 'project',
    among: { table: 'affinity_group', kind: 'affinity' },
    both: 'when providing affinity_group as an ID, project should not be specified',
    neither: 'affinity_group should either be UUID or project should be specified',
  },
  anti_affinity_group: {
    type: 'anti-affinity-group',
    parent: 'project',
    among: { table: 'affinity_group', kind: 'anti_affinity' },
    access: 'affinity_group',
    both: 'when providing anti_affinity_group as an ID, project should not be specified',
    neither: 'anti_affinity_group should either be UUID or project should be specified',
  },
}

/** Selectors of what a thing belongs to, as they stand in a query. */
export type Parents = Partial<Record<'project' | ChildName, string | null>>

/** What the tables have in common; the compiler cannot see that through a union of them. */
type ChildRow = Selectable<Database['disk']> & Record<string, unknown>

interface Found {
  row: ChildRow
  scope: Required<Scope>
}

const parentId = (kind: ChildName, row: ChildRow): string =>
  row[`${childKinds[kind].parent}_id`] as string

/** The project and silo a row is in, by way of everything in between. */
async function scopeOf(ctx: Context, kind: ChildName, row: ChildRow): Promise<Required<Scope>> {
  const { parent } = childKinds[kind]
  const above = (await ctx.db
    .selectFrom(parent as 'project')
    .selectAll()
    .where('id', '=', parentId(kind, row))
    .executeTakeFirstOrThrow()) as unknown as ChildRow & { silo_id: string }
  return parent === 'project'
    ? { siloId: above.silo_id, projectId: above.id }
    : scopeOf(ctx, parent, above)
}

function hasParents(kind: ChildName, parents: Parents): boolean {
  const { parent } = childKinds[kind]
  return Boolean(parents[parent]) || (parent !== 'project' && hasParents(parent, parents))
}

async function find(
  ctx: Context,
  kind: ChildName,
  selector: string,
  parents: Parents,
): Promise<Found> {
  const { type, parent, among, access, removed, both, neither } = childKinds[kind]
  const byId = isUuid(selector)
  if (byId && hasParents(kind, parents)) throw fail.invalidRequest(both)
  const parentSelector = parents[parent]
  if (!byId && !parentSelector) throw fail.invalidRequest(neither)
  const missing = () =>
    byId ? fail.notFoundById(type, selector) : fail.notFoundByName(type, selector)

  let query = ctx.db.selectFrom((among?.table ?? kind) as 'disk').selectAll()
  if (among) query = query.where('kind' as 'state', '=', among.kind as never)
  if (!removed) query = query.where('time_deleted', 'is', null)
  let found: Found
  if (byId) {
    const row = await query.where('id', '=', selector.toLowerCase()).executeTakeFirst()
    if (!row) throw missing()
    found = { row, scope: await scopeOf(ctx, kind, row) }
  } else {
    const above = await findParent(ctx, parent, parentSelector!, parents)
    const row = await query
      .where(`${parent}_id` as 'project_id', '=', above.id)
      .where('name', '=', selector)
      .executeTakeFirst()
    if (!row) throw missing()
    found = { row, scope: above.scope }
  }
  authorize(ctx, access ?? (kind as ResourceKind), found.scope, missing)
  return found
}

async function findParent(
  ctx: Context,
  parent: ChildKind['parent'],
  selector: string,
  parents: Parents,
): Promise<{ id: string; scope: Required<Scope> }> {
  if (parent === 'project') {
    const project = await lookupProject(ctx, selector)
    return { id: project.id, scope: { siloId: project.silo_id, projectId: project.id } }
  }
  const { row, scope } = await find(ctx, parent, selector, parents)
  return { id: row.id, scope }
}

/**
 * A thing named by id alone, or by name and what it belongs to; checked against what the operation
 * needs of its kind.
 * @throws ApiError 400 for a wrong combination, the 404 of the outermost missing thing, 403
 */
export async function lookupChild<Kind extends ChildName>(
  ctx: Context,
  kind: Kind,
  selector: string,
  parents: Parents,
): Promise<ChildRows[Kind]> {
  const { row } = await find(ctx, kind, selector, parents)
  return row as unknown as ChildRows[Kind]
}
