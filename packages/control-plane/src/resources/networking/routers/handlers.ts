import type { tables } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { type LookupContext, lookup, requireFreeName } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { named } from '../../../kernel/search/name-key.ts'
import { describeDeletion } from '../../workspace/deletion/describe.ts'
import { deleteRouter } from './delete.ts'
import { projectOfVpc } from './project.ts'
import { createRoute, deleteRoute, updateRoute } from './routes.ts'
import { toWireRoute, toWireRouter } from './wire.ts'

interface InVpc {
  project?: string
  vpc?: string
}

/** The router in the query. */
const routerOf = (ctx: LookupContext<'vpc_router'> & { query: InVpc & { router?: string } }) => {
  const { router, ...parents } = ctx.query
  return lookup(ctx, 'vpc_router', router!, parents)
}

/** The route in the path. */
const namedRoute = (
  ctx: LookupContext<'router_route'> & {
    params: { route: string }
    query: InVpc & { router?: string }
  },
) => {
  const { project, vpc, router } = ctx.query
  return lookup(ctx, 'router_route', ctx.params.route, { project, vpc, vpc_router: router })
}

export const routerHandlers: Handlers<typeof tables.routerOperations> = {
  async vpc_router_list(ctx) {
    const vpc = await lookup(ctx, 'vpc', ctx.query.vpc!, ctx.query)
    const rows = rowsOf(ctx.db, 'vpc_router').selectAll().where('vpc_id', '=', vpc.id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireRouter)
  },

  async vpc_router_search(ctx) {
    const vpc = await lookup(ctx, 'vpc', ctx.query.vpc!, ctx.query)
    return searchList(ctx, 'vpc_router', vpc.id)
  },

  async vpc_router_create(ctx) {
    const vpc = await lookup(ctx, 'vpc', ctx.query.vpc, ctx.query)
    const { name, description } = ctx.body
    await requireFreeName(ctx.db, 'vpc_router', vpc.id, name)
    const time = ctx.now.toISOString()
    const router: Row<'vpc_router'> = {
      id: crypto.randomUUID(),
      ...named(name),
      description,
      time_created: time,
      time_modified: time,
      time_deleted: null,
      vpc_id: vpc.id,
      kind: 'custom',
    }
    await ctx.db.insertInto('vpc_router').values(router).execute()
    await ctx.emit('vpc_router', 'create', { ...router, project_id: vpc.project_id })
    return toWireRouter(router)
  },

  async vpc_router_view(ctx) {
    return toWireRouter(await lookup(ctx, 'vpc_router', ctx.params.router, ctx.query))
  },

  async vpc_router_update(ctx) {
    const router = await lookup(ctx, 'vpc_router', ctx.params.router, ctx.query)
    const name = ctx.body.name ?? router.name
    const description = ctx.body.description ?? router.description
    if (name !== router.name) await requireFreeName(ctx.db, 'vpc_router', router.vpc_id, name)
    const updated = { ...router, ...named(name), description, time_modified: ctx.now.toISOString() }
    await ctx.db.updateTable('vpc_router').set(updated).where('id', '=', router.id).execute()
    const place = await projectOfVpc(ctx.db, router.vpc_id)
    await ctx.emit('vpc_router', 'update', { ...updated, ...place })
    return toWireRouter(updated)
  },

  async vpc_router_delete(ctx) {
    await deleteRouter(ctx, await lookup(ctx, 'vpc_router', ctx.params.router, ctx.query))
  },

  async vpc_router_deletion(ctx) {
    const router = await lookup(ctx, 'vpc_router', ctx.params.router, ctx.query)
    return describeDeletion(ctx, 'vpc_router', router)
  },

  async vpc_router_route_list(ctx) {
    const router = await routerOf(ctx)
    const rows = rowsOf(ctx.db, 'router_route').selectAll().where('vpc_router_id', '=', router.id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireRoute)
  },

  async vpc_router_route_search(ctx) {
    return searchList(ctx, 'router_route', (await routerOf(ctx)).id)
  },

  async vpc_router_route_create(ctx) {
    return toWireRoute(await createRoute(ctx, await routerOf(ctx), ctx.body))
  },

  async vpc_router_route_view(ctx) {
    return toWireRoute(await namedRoute(ctx))
  },

  async vpc_router_route_update(ctx) {
    return toWireRoute(await updateRoute(ctx, await namedRoute(ctx), ctx.body))
  },

  async vpc_router_route_delete(ctx) {
    await deleteRoute(ctx, await namedRoute(ctx))
  },
}
