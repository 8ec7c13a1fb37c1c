import type { tables, Wire } from '@steading/api'
import { FLEET_ID } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { each } from '../../../kernel/search/search.ts'
import { insertNamed } from '../../../kernel/named-rows.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import {
  changeLink,
  type Link,
  linkSilo,
  linkedPools,
  pageOfLinks,
  unlinkSilo,
} from '../pools/links.ts'
import { updatePool } from '../pools/update.ts'
import { toWireRemaining } from '../pools/utilization.ts'
import { deleteSubnetPool } from './kind.ts'
import { subnetPools } from './links.ts'
import { addMember, pageOfMembers, removeMember } from './members.ts'
import { subnetPoolUse } from './utilization.ts'
import { toWireMember, toWireSiloSubnetPool, toWireSubnetPool as toWire } from './wire.ts'

type Pool = Row<'system_subnet_pool'>

const toWireLink =
  ({ id }: Pool) =>
  ({ silo_id, is_default }: Link): Wire.SubnetPoolSiloLink => ({
    subnet_pool_id: id,
    silo_id,
    is_default: is_default === 1,
  })

const pools = usualHandlers('system_subnet_pool', each(toWire), 'pool')

export const systemSubnetPoolHandlers: Handlers<typeof tables.systemSubnetPoolOperations> = {
  system_subnet_pool_list: pools.list,
  system_subnet_pool_search: pools.search,
  system_subnet_pool_view: pools.view,
  system_subnet_pool_delete: pools.delete(deleteSubnetPool),
  system_subnet_pool_deletion: pools.deletion,

  async system_subnet_pool_create(ctx) {
    authorize(ctx, 'system_subnet_pool', {})
    const columns = { fleet_id: FLEET_ID, ip_version: ctx.body.ip_version }
    return toWire(await insertNamed(ctx, 'system_subnet_pool', ctx.body, columns))
  },

  system_subnet_pool_update: async (ctx) =>
    toWire(await updatePool(ctx, subnetPools, await pools.find(ctx), ctx.body)),
  system_subnet_pool_member_list: async (ctx) => pageOfMembers(ctx, await pools.find(ctx)),
  system_subnet_pool_member_add: async (ctx) =>
    toWireMember(await addMember(ctx, await pools.find(ctx), ctx.body)),

  async system_subnet_pool_member_remove(ctx) {
    await removeMember(ctx, await pools.find(ctx), ctx.body.subnet)
  },

  async system_subnet_pool_silo_list(ctx) {
    const pool = await pools.find(ctx)
    return pageOfLinks(ctx.db, ctx.page, subnetPools, pool.id, toWireLink(pool))
  },

  async system_subnet_pool_silo_link(ctx) {
    const pool = await pools.find(ctx)
    const silo = await lookup(ctx, 'silo', ctx.body.silo)
    return toWireLink(pool)(await linkSilo(ctx, subnetPools, pool, silo.id, ctx.body.is_default))
  },

  async system_subnet_pool_silo_update(ctx) {
    const pool = await pools.find(ctx)
    const silo = await lookup(ctx, 'silo', ctx.params.silo)
    return toWireLink(pool)(await changeLink(ctx, subnetPools, pool, silo.id, ctx.body.is_default))
  },

  async system_subnet_pool_silo_unlink(ctx) {
    const pool = await pools.find(ctx)
    const silo = await lookup(ctx, 'silo', ctx.params.silo)
    await unlinkSilo(ctx, subnetPools, pool, silo.id)
  },

  system_subnet_pool_utilization_view: async (ctx) =>
    toWireRemaining(await subnetPoolUse(ctx.db, await pools.find(ctx))),

  async silo_subnet_pool_list(ctx) {
    const silo = await lookup(ctx, 'silo', ctx.params.silo)
    authorize(ctx, 'system_subnet_pool', {})
    const rows = linkedPools(ctx.db, subnetPools, silo.id)
    return listPage(ctx.page, rows, { name: 'its.name', id: 'its.id' }, toWireSiloSubnetPool)
  },
}
