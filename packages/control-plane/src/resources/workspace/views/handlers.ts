import type { tables } from '@steading/api'
import {
  byPosition,
  isInProject,
  kindTable,
  lastPosition,
  type ListedKind,
  VIEWS_MAX,
} from '@steading/api/rules'
import { requireOwnAccount } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { rowsOf, storedKind } from '../../../kernel/kinds.ts'
import { parseListQuery } from '../../../kernel/list-query.ts'
import { type LookupContext, lookup, lookupOwn } from '../../../kernel/lookup.ts'
import type { Work } from '../../../kernel/work.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { toWireSavedView, type SavedViewRow, savedViewColumns, savedViewQuery } from './kind.ts'

/** The owner of views: the user alone, or the project that shares them. */
type Owner = { user_id: string } | { project_id: string }

const viewsOf = (db: Db, list: ListedKind, owner: Owner) => {
  const rows = db.selectFrom('saved_view').selectAll().where('list', '=', list)
  return 'user_id' in owner
    ? rows.where('user_id', '=', owner.user_id)
    : rows.where('project_id', '=', owner.project_id)
}

/** A view of the caller, or a shared one that the caller may change. */
async function lookupView(
  ctx: Pick<Work, 'db' | 'actor'> & LookupContext<'project_view'>,
  id: string,
): Promise<SavedViewRow> {
  const own = await rowsOf(ctx.db, 'saved_view')
    .select('its.id')
    .where('its.id', '=', id)
    .where('its.user_id', '=', ctx.actor.userId)
    .executeTakeFirst()
  return own ? lookupOwn(ctx, 'saved_view', id) : lookup(ctx, 'project_view', id)
}

const changed = (
  { emit, actor }: Work,
  action: 'create' | 'update' | 'delete',
  { id, name, user_id, project_id }: SavedViewRow,
) =>
  project_id !== null
    ? emit('project_view', action, { id, name, project_id })
    : emit('saved_view', action, { id, name, silo_id: actor.siloId, user_id })

const checkQuery = (list: ListedKind, query: Record<string, string>) =>
  parseListQuery(storedKind(list).search!.operation, query, 'query')

export const savedViewHandlers: Handlers<typeof tables.savedViewOperations> = {
  async view_list(ctx) {
    const { list, project } = ctx.query
    const { userId: user_id, limits } = ctx.actor
    const own = limits ? [] : await viewsOf(ctx.db, list, { user_id }).execute()
    const shared = project
      ? await viewsOf(ctx.db, list, {
          project_id: (await lookup(ctx, 'project', project)).id,
        }).execute()
      : []
    return { items: [...own, ...shared].toSorted(byPosition).map(toWireSavedView) }
  },

  async view_create(ctx) {
    const { name, list, project, query, columns = null, position } = ctx.body
    if (project && !isInProject(list)) {
      throw fail.invalidRequest(`project: ${kindTable[list].words}s are not in a project`)
    }
    if (!project) requireOwnAccount(ctx.actor)
    checkQuery(list, query)
    const owner: Owner = project
      ? { project_id: (await lookup(ctx, 'project', project)).id }
      : { user_id: ctx.actor.userId }
    const others = await viewsOf(ctx.db, list, owner).execute()
    if (others.length >= VIEWS_MAX) {
      throw fail.invalidRequest(`a list can have at most ${VIEWS_MAX} views`)
    }
    const time = ctx.now.toISOString()
    const view: SavedViewRow = {
      id: crypto.randomUUID(),
      name,
      list,
      user_id: null,
      project_id: null,
      ...owner,
      query: savedViewQuery.write(query),
      columns: savedViewColumns.write(columns),
      position: position ?? lastPosition(others),
      time_created: time,
      time_modified: time,
    }
    await ctx.db.insertInto('saved_view').values(view).execute()
    await changed(ctx, 'create', view)
    return toWireSavedView(view)
  },

  async view_update(ctx) {
    const view = await lookupView(ctx, ctx.params.view)
    const { name, query, columns, position } = ctx.body
    if (query) checkQuery(view.list, query)
    const updated: SavedViewRow = {
      ...view,
      name: name ?? view.name,
      query: query ? savedViewQuery.write(query) : view.query,
      columns: columns === undefined ? view.columns : savedViewColumns.write(columns),
      position: position ?? view.position,
      time_modified: ctx.now.toISOString(),
    }
    await changeRow(ctx.db, 'saved_view', view.id, updated)
    await changed(ctx, 'update', updated)
    return toWireSavedView(updated)
  },

  async view_delete(ctx) {
    const view = await lookupView(ctx, ctx.params.view)
    await ctx.db.deleteFrom('saved_view').where('id', '=', view.id).execute()
    await changed(ctx, 'delete', view)
  },
}
