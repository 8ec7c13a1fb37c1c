import type { StoredKind } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { step } from '../../../kernel/steps.ts'
import { deleteRouter } from './delete.ts'
import { deleteRoute } from './routes.ts'
import { viewRoute, viewRouter } from './view.ts'
import './deletion.ts'
import { vpcRouterTables } from './table.ts'

export const vpc_router: StoredKind<'vpc_router'> = {
  tables: vpcRouterTables,
  live: 'time_deleted is null',
  search: searchOf('vpc_router_search', {
    searched: described,
    sorts: { ...usualSorts, kind: text('kind') },
    filters: { kind: oneOf('kind') },
    views: each(viewRouter),
  }),
  steps: {
    delete: step('vpc_router_delete', async (work, id) =>
      deleteRouter(work, await lookup(work, 'vpc_router', id)),
    ),
  },
  deletion: { columns: { vpc_id: 'vpc_id', state: 'kind' } },
}

export const router_route: StoredKind<'router_route'> = {
  live: 'time_deleted is null',
  search: searchOf('vpc_router_route_search', {
    searched: [...described, 'destination_value', 'target_value'],
    sorts: {
      ...usualSorts,
      kind: text('kind'),
      destination: text('destination_key'),
      target: text('target_value'),
    },
    filters: { kind: oneOf('kind'), target: oneOf('target_type') },
    views: each(viewRoute),
  }),
  steps: {
    delete: step('vpc_router_route_delete', async (work, id) =>
      deleteRoute(work, await lookup(work, 'router_route', id)),
    ),
  },
  deletion: { columns: { state: 'kind' } },
}
