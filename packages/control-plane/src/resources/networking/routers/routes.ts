/** Routes that users add and change (control plane 8.4). */
import type { Wire } from '@steading/api'
import {
  DEFAULT_ROUTE_FIXED,
  formatAddress,
  formatNetwork,
  parseAddress,
  parseNetwork,
  routeCannotChange,
  routeCannotDelete,
  type RouteEnd,
  type RouteKind,
  routeProblem,
  routerCannotTakeRoutes,
  sameEnd,
} from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { changeNamed, deleteRow, insertNamed } from '../../../kernel/named-rows.ts'
import type { Writing } from '../../../kernel/work.ts'
import { type Deleting, keeping } from '../../workspace/deleted-resources/keep.ts'
import { type Versioning, versioning } from '../../workspace/setting-versions/keep.ts'
import { destinationKey } from './destination-key.ts'
import { projectOfRouter } from './project.ts'
import { destinationOf } from './wire.ts'

type Ends = Pick<Wire.RouterRouteCreate, 'destination' | 'target'>

/** An end with its address in canonical spelling. A network keeps its host bits. */
function normal<End extends RouteEnd>(end: End): End {
  const { type, value = '' } = end
  if (type === 'ip') return { ...end, value: formatAddress(parseAddress(value)!) }
  return type === 'ip_net' ? { ...end, value: formatNetwork(parseNetwork(value)!) } : end
}

const columnsOf = ({ destination, target }: Ends) => ({
  destination_type: destination.type,
  destination_value: destination.value,
  destination_key: destinationKey(destination),
  target_type: target.type,
  target_value: target.type === 'drop' ? '' : target.value,
})

/** @throws ApiError 400 for ends that a route of this kind cannot have */
function requireEnds(kind: RouteKind, body: Ends): Ends {
  const ends = { destination: normal(body.destination), target: normal(body.target) }
  const problem = routeProblem(
    kind === 'default' ? 'default' : 'custom',
    ends.destination,
    ends.target,
  )
  if (problem) throw fail.invalidRequest(problem)
  return ends
}

/** @throws ApiError 400 if the router takes no routes or the name is taken */
export const createRoute = (
  work: Writing & Versioning,
  router: Row<'vpc_router'>,
  body: Wire.RouterRouteCreate,
): Promise<Row<'router_route'>> =>
  versioning(work, 'routes', router.id, () => addRoute(work, router, body))

/** Without a version of its own, as {@link changeRoute} and {@link takeRoute}. */
export async function addRoute(
  work: Writing,
  router: Row<'vpc_router'>,
  body: Wire.RouterRouteCreate,
): Promise<Row<'router_route'>> {
  const closed = routerCannotTakeRoutes(router.kind)
  if (closed) throw fail.invalidRequest(closed.api)
  const ends = requireEnds('custom', body)
  const columns = { vpc_router_id: router.id, kind: 'custom' as const, ...columnsOf(ends) }
  const place = await projectOfRouter(work.db, router.id)
  return insertNamed(work, 'router_route', body, columns, place)
}

/** @throws ApiError 400 for a change that a route of its kind does not allow, or a taken name */
export const updateRoute = (
  work: Writing & Versioning,
  route: Row<'router_route'>,
  body: Wire.RouterRouteUpdate,
): Promise<Row<'router_route'>> =>
  versioning(work, 'routes', route.vpc_router_id, () => changeRoute(work, route, body))

export async function changeRoute(
  work: Writing,
  route: Row<'router_route'>,
  body: Wire.RouterRouteUpdate,
): Promise<Row<'router_route'>> {
  const fixed = routeCannotChange(route.kind)
  if (fixed) throw fail.invalidRequest(fixed.api)
  const ends = requireEnds(route.kind, body)
  if (
    route.kind === 'default' &&
    ((body.name ?? body.description ?? undefined) !== undefined ||
      !sameEnd(ends.destination, destinationOf(route)))
  ) {
    throw fail.invalidRequest(DEFAULT_ROUTE_FIXED)
  }
  const place = await projectOfRouter(work.db, route.vpc_router_id)
  return changeNamed(work, 'router_route', route, body, columnsOf(ends), place)
}

/** @throws ApiError 400 for a route of a system router */
export const deleteRoute = (
  work: Deleting & Versioning,
  route: Row<'router_route'>,
): Promise<void> => versioning(work, 'routes', route.vpc_router_id, () => takeRoute(work, route))

export const takeRoute = (work: Deleting, route: Row<'router_route'>): Promise<void> =>
  keeping(work, 'router_route', route, () => removeRoute(work, route))

async function removeRoute(work: Writing, route: Row<'router_route'>): Promise<void> {
  const fixed = routeCannotDelete(route.kind)
  if (fixed) throw fail.invalidRequest(fixed.api)
  const place = await projectOfRouter(work.db, route.vpc_router_id)
  await deleteRow(work, 'router_route', route, {}, place)
}
