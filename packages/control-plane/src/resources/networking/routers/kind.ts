import { sql } from 'kysely'
import { deletionSentences } from '@steading/api/rules'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { oneOf } from '../../../kernel/search/filters.ts'
import { described, each, searchOf, text, usualSorts } from '../../../kernel/search/search.ts'
import { stepOn } from '../../../kernel/step-on.ts'
import { deleteRouter } from './delete.ts'
import { deleteRoute } from './routes.ts'
import { toWireRoute, toWireRouter } from './wire.ts'
import { vpcRouterTables } from './table.ts'

export const vpc_router: StoredKind<'vpc_router'> = {
  tables: vpcRouterTables,
  live: 'time_deleted is null',
  search: searchOf('vpc_router_search', {
    searched: described,
    sorts: { ...usualSorts, kind: text('kind') },
    filters: { kind: oneOf('kind') },
    toWire: each(toWireRouter),
  }),
  steps: {
    delete: stepOn('vpc_router', 'vpc_router_delete', deleteRouter),
  },
  restoration: { untouched: ['system_router_id'] },
  deletion: { columns: { vpc_id: 'vpc_id', state: 'kind' } },
  relations: [
    {
      owner: 'vpc',
      relation: 'goes',
      pairs: sql`select id, vpc_id as owner_id from vpc_router`,
      reason: deletionSentences.partOfVpc,
    },
  ],
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
    toWire: each(toWireRoute),
  }),
  steps: {
    delete: stepOn('router_route', 'vpc_router_route_delete', deleteRoute),
  },
  restoration: {},
  deletion: { columns: { state: 'kind' } },
  relations: [
    {
      owner: 'vpc_router',
      relation: 'goes',
      pairs: sql`select id, vpc_router_id as owner_id from router_route`,
      reason: deletionSentences.partOfRouter,
      detail: sql`its.destination_value`,
    },
    {
      owner: 'vpc_subnet',
      relation: 'goes',
      pairs: sql`select route.id, subnet.id as owner_id from vpc_subnet as subnet
        join vpc on vpc.id = subnet.vpc_id
        join router_route as route on route.vpc_router_id = vpc.system_router_id
          and route.kind = 'vpc_subnet' and route.target_value = subnet.name`,
      reason: deletionSentences.partOfSubnet,
      detail: sql`its.destination_value`,
    },
    {
      owner: 'internet_gateway',
      relation: 'goes',
      pairs: sql`select route.id, gateway.id as owner_id from router_route as route
        join vpc_router as router on router.id = route.vpc_router_id
        join internet_gateway as gateway
          on gateway.vpc_id = router.vpc_id and gateway.name = route.target_value
        where route.target_type = 'internet_gateway'`,
      reason: deletionSentences.routesToGateway,
      detail: sql`its.destination_value`,
    },
  ],
}
