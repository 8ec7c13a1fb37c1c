import { storeTable } from '../../kernel/db/tables.ts'
import './table.ts'

storeTable('vpc_router', {
  marked: true,
  within: { vpc_id: 'vpc' },
  names: { vpc_router_name: 'vpc-router' },
})

storeTable('router_route', {
  marked: true,
  within: { vpc_router_id: 'vpc_router' },
  names: { router_route_name: 'router-route' },
})
