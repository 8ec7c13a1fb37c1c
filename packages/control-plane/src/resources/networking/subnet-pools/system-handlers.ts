import type { tables, Wire } from '@steading/api'
import { FLEET_ID } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { type LookupContext, lookup, requireFreeName } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { named } from '../../../kernel/search/name-key.ts'
import { describeDeletion } from '../../workspace/deletion/describe.ts'
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
import { deleteSubnetPool } from './delete.ts'
import { subnetPools } from './links.ts'
import { addMember, pageOfMembers, removeMember } from './members.ts'
import { subnetPoolUse } from './utilization.ts'
import { toWireMember, toWireSiloSubnetPool, toWireSubnetPool as toWire } from './wire.ts'

type Pool = Row<'system_subnet_pool'>

const lookupPool = (ctx: LookupContext<'system_subnet_pool'> & { params: { pool: string } }) =>
  lookup(ctx, 'system_subnet_pool', ctx.params.pool)

const toWireLink =
  ({ id }: Pool) =>
  ({ silo_id, is_default }: Link): Wire.SubnetPoolSiloLink => ({
    subnet_pool_id: id,
    silo_id,
    is_default: is_default === 1,
  })

export const systemSubnetPoolHandlers: Handlers<typeof tables.systemSubnetPoolOperations> = {
  async system_subnet_pool_list(ctx) {
    authorize(ctx, 'system_subnet_pool', {})
    const rows = rowsOf(ctx.db, 'system_subnet_pool').selectAll()
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWire)
  },

  async system_subnet_pool_search(ctx) {
    authorize(ctx, 'system_subnet_pool', {})
    return searchList(ctx, 'system_subnet_pool', FLEET_ID)
  },

  async system_subnet_pool_create(ctx) {
    authorize(ctx, 'system_subnet_pool', {})
    const { name, description, ip_version } = ctx.body
    await requireFreeName(ctx.db, 'system_subnet_pool', FLEET_ID, name)
    const time = ctx.now.toISOString()
    const pool: Pool = {
      id: crypto.randomUUID(),
      fleet_id: FLEET_ID,
      ...named(name),
      description,
      ip_version,
      time_created: time,
      time_modified: time,
      time_deleted: null,
    }
    await ctx.db.insertInto('subnet_pool').values(pool).execute()
    await ctx.emit('system_subnet_pool', 'create', { id: pool.id, name })
    return toWire(pool)
  },

  async system_subnet_pool_view(ctx) {
    return toWire(await lookupPool(ctx))
  },

  async system_subnet_pool_update(ctx) {
    return toWire(await updatePool(ctx, subnetPools, await lookupPool(ctx), ctx.body))
  },

  async system_subnet_pool_delete(ctx) {
    await deleteSubnetPool(ctx, await lookupPool(ctx))
  },

  async system_subnet_pool_deletion(ctx) {
    return describeDeletion(ctx, 'system_subnet_pool', await lookupPool(ctx))
  },

  async system_subnet_pool_member_list(ctx) {
    return pageOfMembers(ctx, await lookupPool(ctx))
  },

  async system_subnet_pool_member_add(ctx) {
    return toWireMember(await addMember(ctx, await lookupPool(ctx), ctx.body))
  },

  async system_subnet_pool_member_remove(ctx) {
    await removeMember(ctx, await lookupPool(ctx), ctx.body.subnet)
  },

  async system_subnet_pool_silo_list(ctx) {
    const pool = await lookupPool(ctx)
    return pageOfLinks(ctx.db, ctx.page, subnetPools, pool.id, toWireLink(pool))
  },

  async system_subnet_pool_silo_link(ctx) {
    const pool = await lookupPool(ctx)
    const silo = await lookup(ctx, 'silo', ctx.body.silo)
    return toWireLink(pool)(await linkSilo(ctx, subnetPools, pool, silo.id, ctx.body.is_default))
  },

  async system_subnet_pool_silo_update(ctx) {
    const pool = await lookupPool(ctx)
    const silo = await lookup(ctx, 'silo', ctx.params.silo)
    return toWireLink(pool)(await changeLink(ctx, subnetPools, pool, silo.id, ctx.body.is_default))
  },

  async system_subnet_pool_silo_unlink(ctx) {
    const pool = await lookupPool(ctx)
    const silo = await lookup(ctx, 'silo', ctx.params.silo)
    await unlinkSilo(ctx, subnetPools, pool, silo.id)
  },

  async system_subnet_pool_utilization_view(ctx) {
    return toWireRemaining(await subnetPoolUse(ctx.db, await lookupPool(ctx)))
  },

  async silo_subnet_pool_list(ctx) {
    const silo = await lookup(ctx, 'silo', ctx.params.silo)
    authorize(ctx, 'system_subnet_pool', {})
    const rows = linkedPools(ctx.db, subnetPools, silo.id)
    return listPage(ctx.page, rows, { name: 'its.name', id: 'its.id' }, toWireSiloSubnetPool)
  },
}
