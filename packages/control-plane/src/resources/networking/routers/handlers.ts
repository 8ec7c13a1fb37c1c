import type { tables } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { each } from '../../../kernel/search/search.ts'
import { insertNamed, changeNamed } from '../../../kernel/named-rows.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { deleteRouter } from './delete.ts'
import { projectOfVpc } from './project.ts'
import { createRoute, deleteRoute, updateRoute } from './routes.ts'
import { toWireRoute, toWireRouter } from './wire.ts'

const routers = usualHandlers('vpc_router', each(toWireRouter), 'router')
const routes = usualHandlers('router_route', each(toWireRoute), 'route')

export const routerHandlers: Handlers<typeof tables.routerOperations> = {
  vpc_router_list: routers.list,
  vpc_router_search: routers.search,
  vpc_router_view: routers.view,
  vpc_router_delete: routers.delete(deleteRouter),
  vpc_router_deletion: routers.deletion,
  vpc_router_route_list: routes.list,
  vpc_router_route_search: routes.search,
  vpc_router_route_view: routes.view,
  vpc_router_route_update: routes.change(updateRoute),
  vpc_router_route_delete: routes.delete(deleteRoute),

  async vpc_router_create(ctx) {
    const { id: vpc_id, project_id } = await routers.container(ctx)
    const columns = { vpc_id, kind: 'custom' } as const
    return toWireRouter(await insertNamed(ctx, 'vpc_router', ctx.body, columns, { project_id }))
  },

  async vpc_router_update(ctx) {
    const router = await routers.find(ctx)
    const place = await projectOfVpc(ctx.db, router.vpc_id)
    return toWireRouter(await changeNamed(ctx, 'vpc_router', router, ctx.body, {}, place))
  },

  vpc_router_route_create: async (ctx) =>
    toWireRoute(await createRoute(ctx, await routes.container(ctx), ctx.body)),
}
