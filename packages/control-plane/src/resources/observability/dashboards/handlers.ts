import type { tables, Wire } from '@steading/api'
import { dashboardMessages, DASHBOARDS_MAX, type DashboardSource } from '@steading/api/rules'
import {
  authorize,
  type PermissionContext,
  requireOwnAccount,
} from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { type LookupContext, lookup, lookupOwn } from '../../../kernel/lookup.ts'
import type { Work } from '../../../kernel/work.ts'
import { changeRow, findRow } from '../../../kernel/db/rows.ts'
import { checkCharts, checkTagKeys } from './check-charts.ts'
import {
  type DashboardRow,
  toWireDashboard,
  sharingOf,
  dashboardCharts,
  dashboardTagKeys,
} from './kind.ts'

/** The owner of a dashboard: a user, or the project or silo that shares it. */
type DashboardOwner = Pick<DashboardRow, 'user_id' | 'project_id' | 'silo_id'>
const noOwner: DashboardOwner = { user_id: null, project_id: null, silo_id: null }

const kindOf = {
  private: 'dashboard',
  project: 'project_dashboard',
  silo: 'silo_dashboard',
} as const

const dashboardsOf = (db: Db, source: DashboardSource, owner: Partial<DashboardOwner>) => {
  const [[column, id]] = Object.entries(owner) as [[keyof DashboardOwner, string]]
  return db.selectFrom('dashboard').selectAll().where('source', '=', source).where(column, '=', id)
}

/** Dashboards of the system require permission to read the fleet. */
function authorizeSource(context: PermissionContext<'fleet'>, source: DashboardSource): void {
  if (source === 'system') authorize(context, 'fleet', {})
}

type DashboardContext = Pick<Work, 'db' | 'actor'> &
  LookupContext<'project_dashboard' | 'silo_dashboard' | 'fleet'>

async function lookupDashboard(ctx: DashboardContext, id: string): Promise<DashboardRow> {
  const found = await findRow(ctx.db, 'dashboard', id)
  const sharing = found && sharingOf(found)
  const row = await (sharing === 'project'
    ? lookup(ctx, 'project_dashboard', id)
    : sharing === 'silo'
      ? lookup(ctx, 'silo_dashboard', id)
      : lookupOwn(ctx, 'dashboard', id))
  authorizeSource(ctx, row.source)
  return row
}

/** The owner named in a body, for whom the caller may create dashboards. */
async function ownerOf(
  ctx: Pick<Work, 'db' | 'actor'> & PermissionContext<'silo_dashboard'> & LookupContext<'project'>,
  source: DashboardSource,
  { sharing, project }: Pick<Wire.DashboardCreate, 'sharing' | 'project'>,
): Promise<DashboardOwner> {
  const { actor } = ctx
  if (sharing !== 'project' && project) throw fail.invalidRequest(dashboardMessages.projectUnused)
  switch (sharing) {
    case 'private':
      requireOwnAccount(actor)
      return { ...noOwner, user_id: actor.userId }
    case 'silo':
      authorize(ctx, 'silo_dashboard', { siloId: actor.siloId })
      return { ...noOwner, silo_id: actor.siloId }
    case 'project':
      if (!project) throw fail.invalidRequest(dashboardMessages.projectMissing)
      if (source === 'system') throw fail.invalidRequest(dashboardMessages.systemInProject)
      return { ...noOwner, project_id: (await lookup(ctx, 'project', project)).id }
  }
}

/** @throws ApiError 400 if the owner has the maximum number */
async function requireRoom(db: Db, source: DashboardSource, owner: DashboardOwner): Promise<void> {
  const [taken] = Object.entries(owner).filter(([, id]) => id !== null)
  const others = await dashboardsOf(db, source, Object.fromEntries([taken!]))
    .clearSelect()
    .select((eb) => eb.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(others.count) >= DASHBOARDS_MAX) throw fail.invalidRequest(dashboardMessages.tooMany)
}

const emitChange = (
  { emit, actor }: Pick<Work, 'emit' | 'actor'>,
  action: 'create' | 'update' | 'delete',
  row: DashboardRow,
) => {
  const { id, name, user_id, project_id } = row
  return emit(kindOf[sharingOf(row)], action, {
    id,
    name,
    silo_id: actor.siloId,
    ...(project_id === null ? {} : { project_id }),
    ...(user_id === null ? {} : { user_id }),
  })
}

const isOwnedBy = (row: DashboardRow, owner: DashboardOwner): boolean =>
  row.user_id === owner.user_id &&
  row.project_id === owner.project_id &&
  row.silo_id === owner.silo_id

export const dashboardHandlers: Handlers<typeof tables.dashboardOperations> = {
  async dashboard_list(ctx) {
    const { db, actor } = ctx
    const { source, project } = ctx.query
    authorizeSource(ctx, source)
    authorize(ctx, 'silo_dashboard', { siloId: actor.siloId })
    const owners: Partial<DashboardOwner>[] = [{ silo_id: actor.siloId }]
    if (!actor.limits) owners.push({ user_id: actor.userId })
    if (project) owners.push({ project_id: (await lookup(ctx, 'project', project)).id })
    const rows: DashboardRow[] = []
    for (const owner of owners) rows.push(...(await dashboardsOf(db, source, owner).execute()))
    const byName = (a: DashboardRow, b: DashboardRow) =>
      a.name.localeCompare(b.name, 'en', { numeric: true }) || (a.id < b.id ? -1 : 1)
    return { items: rows.toSorted(byName).map(toWireDashboard) }
  },

  async dashboard_create(ctx) {
    const { name, description, charts, tag_keys = [], source } = ctx.body
    authorizeSource(ctx, source)
    const owner = await ownerOf(ctx, source, ctx.body)
    checkCharts(source, charts)
    checkTagKeys(tag_keys)
    await requireRoom(ctx.db, source, owner)
    const time = ctx.now.toISOString()
    const row: DashboardRow = {
      id: crypto.randomUUID(),
      name,
      description,
      source,
      ...owner,
      charts: dashboardCharts.write(charts),
      tag_keys: dashboardTagKeys.write(tag_keys),
      time_created: time,
      time_modified: time,
    }
    await ctx.db.insertInto('dashboard').values(row).execute()
    await emitChange(ctx, 'create', row)
    return toWireDashboard(row)
  },

  dashboard_view: async (ctx) => toWireDashboard(await lookupDashboard(ctx, ctx.params.dashboard)),

  async dashboard_update(ctx) {
    const { body, db } = ctx
    const row = await lookupDashboard(ctx, ctx.params.dashboard)
    checkCharts(row.source, body.charts)
    checkTagKeys(body.tag_keys ?? [])
    const owner = await ownerOf(ctx, row.source, body)
    const moves = !isOwnedBy(row, owner)
    if (moves) await requireRoom(db, row.source, owner)
    const updated: DashboardRow = {
      ...row,
      ...owner,
      name: body.name,
      description: body.description,
      charts: dashboardCharts.write(body.charts),
      tag_keys: body.tag_keys ? dashboardTagKeys.write(body.tag_keys) : row.tag_keys,
      time_modified: ctx.now.toISOString(),
    }
    await changeRow(db, 'dashboard', row.id, updated)
    if (moves) await emitChange(ctx, 'delete', row)
    await emitChange(ctx, moves ? 'create' : 'update', updated)
    return toWireDashboard(updated)
  },

  async dashboard_delete(ctx) {
    const row = await lookupDashboard(ctx, ctx.params.dashboard)
    await ctx.db.deleteFrom('dashboard').where('id', '=', row.id).execute()
    await emitChange(ctx, 'delete', row)
  },
}
