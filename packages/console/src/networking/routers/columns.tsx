import type { RouterRoute, VpcRouter } from '@steading/api/client'
import { ArrowRight } from 'lucide-react'
import { seed } from '../../data/api.ts'
import type { ListColumn } from '../../page/columns.tsx'
import { CellLink } from '../../ui/link.tsx'
import { Tag } from '../../ui/tag.tsx'
import { routeArgs, type RouterParams } from './queries.ts'
import { RouteEnd } from './route-end.tsx'

/** `vpc subnet` */
export const kindText = (kind: string) => kind.replaceAll('_', ' ')

export const routerColumns: ListColumn<VpcRouter>[] = [
  'name',
  {
    id: 'kind',
    header: 'kind',
    sort: 'kind',
    width: 112,
    phone: 'second',
    cell: ({ kind }) => <Tag>{kind}</Tag>,
  },
  'description',
  'created',
]

/** Seeds the edit panel with the row, so that it opens at once. */
export const showRouteAtOnce = (params: RouterParams, route: RouterRoute): void =>
  seed('vpcRouterRouteView', routeArgs({ ...params, route: route.name }), route)

export const routeColumns = (params: RouterParams): ListColumn<RouterRoute>[] => [
  {
    id: 'name',
    header: 'Name',
    sort: 'name',
    cell: (route) => (
      <CellLink
        to="/projects/$project/vpcs/$vpc/routers/$router/routes/$route/edit"
        params={{ ...params, route: route.name }}
        onClick={() => showRouteAtOnce(params, route)}
        preload={false}
      >
        {route.name}
      </CellLink>
    ),
  },
  {
    id: 'kind',
    header: 'Kind',
    sort: 'kind',
    width: 120,
    cell: ({ kind }) => <Tag>{kindText(kind)}</Tag>,
  },
  {
    id: 'destination',
    header: 'Destination',
    sort: 'destination',
    phone: 'second',
    cell: ({ destination }) => <RouteEnd end={destination} />,
  },
  {
    id: 'target',
    header: 'Target',
    sort: 'target',
    phone: 'second',
    cell: ({ target }) => (
      <span className="flex min-w-0 items-center gap-1.5">
        <ArrowRight
          className="shrink-0 text-tertiary sm:hidden"
          size={14}
          strokeWidth={1.5}
          aria-hidden
        />
        <RouteEnd end={target} />
      </span>
    ),
  },
  { id: 'description', optional: true },
  { id: 'created', optional: true },
]
