import type { Probes } from './probe.ts'
import { fresh, parents, server } from './world.ts'

const inVpc = { ...parents, vpc: 'default' }
const inRouter = { ...inVpc, router: 'system' }

/** A custom router for one call. */
const freshRouter = async () => {
  const body = { name: fresh(), description: '' }
  return (await server.admin.call('vpc_router_create', { query: inVpc, body })).id
}

const routeBody = () => ({
  name: fresh(),
  description: '',
  destination: { type: 'ip_net' as const, value: '10.0.0.0/8' },
  target: { type: 'drop' as const },
})

/** A route of a custom router for one call. */
const freshRoute = async () => {
  const query = { router: await freshRouter() }
  const body = routeBody()
  return (await server.admin.call('vpc_router_route_create', { query, body })).id
}

export const routersProbes = {
  vpc_router_list: { args: () => ({ query: inVpc }) },
  vpc_router_search: { args: () => ({ query: inVpc }) },
  vpc_router_create: {
    args: () => ({ query: inVpc, body: { name: fresh(), description: '' } }),
  },
  vpc_router_view: {
    'by name': { args: () => ({ params: { router: 'system' }, query: inVpc }) },
    'by id': { args: async () => ({ params: { router: await freshRouter() } }) },
  },
  vpc_router_update: {
    args: async () => ({ params: { router: await freshRouter() }, body: { description: fresh() } }),
  },
  vpc_router_delete: { args: async () => ({ params: { router: await freshRouter() } }) },
  vpc_router_deletion: { args: () => ({ params: { router: 'system' }, query: inVpc }) },
  vpc_router_route_list: {
    'by name': { args: () => ({ query: inRouter }) },
    'by id': { args: async () => ({ query: { router: await freshRouter() } }) },
  },
  vpc_router_route_search: { args: () => ({ query: inRouter }) },
  vpc_router_route_create: {
    args: async () => ({ query: { router: await freshRouter() }, body: routeBody() }),
  },
  vpc_router_route_view: {
    'by name': { args: () => ({ params: { route: 'default-v4' }, query: inRouter }) },
    'by id': { args: async () => ({ params: { route: await freshRoute() } }) },
  },
  vpc_router_route_update: {
    args: async () => {
      const { destination, target } = routeBody()
      return { params: { route: await freshRoute() }, body: { destination, target } }
    },
  },
  vpc_router_route_delete: { args: async () => ({ params: { route: await freshRoute() } }) },
} satisfies Partial<Probes>
