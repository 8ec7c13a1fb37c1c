import type { Wire } from '@steading/api'
import type { RouteEnd } from '@steading/api/rules'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'

export const toWireRouter = (row: Row<'vpc_router'>): Wire.VpcRouter => ({
  ...identityOf(row),
  vpc_id: row.vpc_id,
  kind: row.kind,
})

export const destinationOf = (row: Row<'router_route'>): Wire.RouteDestination =>
  ({ type: row.destination_type, value: row.destination_value }) as Wire.RouteDestination

export const targetOf = ({ target_type: type, target_value: value }: Row<'router_route'>) =>
  (type === 'drop' ? { type } : { type, value }) as Wire.RouteTarget & RouteEnd

export const toWireRoute = (row: Row<'router_route'>): Wire.RouterRoute => ({
  ...identityOf(row),
  vpc_router_id: row.vpc_router_id,
  kind: row.kind,
  destination: destinationOf(row),
  target: targetOf(row),
})
