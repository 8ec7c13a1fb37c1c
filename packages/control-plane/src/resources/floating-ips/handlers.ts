import type { Wire } from '@steading/api'
import { deletionRefusals, isUuid } from '@steading/api/rules'
import type { Context, Handlers } from '../../kernel/context.ts'
import { insertAddress } from '../external-ips/allocate.ts'
import { attachFloating, detachFloating, floatingIpChanged } from '../external-ips/floating.ts'
import { freeAddress, type PoolRow, poolOfAddress, selectPool } from '../external-ips/pools.ts'
import { type ExternalIpRow, viewFloatingIp } from '../external-ips/view.ts'
import { lookupChild } from '../../kernel/lookup.ts'
import { fail } from '../../kernel/errors.ts'
import { listPage } from '../../kernel/paging.ts'
import { lookupProject } from '../projects/lookup.ts'

interface NamesFloatingIp {
  params: { floating_ip: string }
  query: { project?: string }
}

const lookup = (ctx: Context & NamesFloatingIp): Promise<ExternalIpRow> =>
  lookupChild(ctx, 'floating_ip', ctx.params.floating_ip, ctx.query)

/** @throws ApiError 400 if another address of the project has the name */
async function requireFreeName(ctx: Context, projectId: string, name: string): Promise<void> {
  const taken = await ctx.db
    .selectFrom('external_ip')
    .select('id')
    .where('project_id', '=', projectId)
    .where('name', '=', name)
    .executeTakeFirst()
  if (taken) throw fail.alreadyExists('floating-ip', name)
}

/** The address asked for, or the lowest free one. */
async function findAddress(
  ctx: Context,
  allocator: Wire.AddressAllocator,
): Promise<{ pool: PoolRow; key: string }> {
  const { siloId } = ctx.actor
  if (allocator.type === 'auto') {
    const pool = await selectPool(ctx.db, siloId, allocator.pool_selector)
    return { pool, key: await freeAddress(ctx.db, pool) }
  }
  const found = await poolOfAddress(ctx.db, siloId, allocator.ip)
  const taken = await ctx.db
    .selectFrom('external_ip')
    .select('id')
    .where('ip_pool_id', '=', found.pool.id)
    .where('ip_key', '=', found.key)
    .executeTakeFirst()
  if (taken) throw fail.invalidRequest('Requested external IP address not available')
  return found
}

type FloatingIpOperation =
  | 'floating_ip_list'
  | 'floating_ip_create'
  | 'floating_ip_view'
  | 'floating_ip_update'
  | 'floating_ip_delete'
  | 'floating_ip_attach'
  | 'floating_ip_detach'

export const floatingIpHandlers: Handlers<FloatingIpOperation> = {
  async floating_ip_list(ctx) {
    const project = await lookupProject(ctx, ctx.query.project!)
    const query = ctx.db
      .selectFrom('external_ip')
      .selectAll()
      .where('project_id', '=', project.id)
      .where('kind', '=', 'floating')
      // Said for the sake of the indexes; only floating addresses have one.
      .where('name', 'is not', null)
    return listPage(ctx.page, query, { name: 'name', id: 'id' }, viewFloatingIp)
  },

  async floating_ip_create(ctx) {
    const project = await lookupProject(ctx, ctx.query.project)
    const { name, description, address_allocator } = ctx.body
    await requireFreeName(ctx, project.id, name)
    const { pool, key } = await findAddress(ctx, address_allocator)
    const row = await insertAddress(ctx, pool, key, {
      kind: 'floating',
      project_id: project.id,
      instance_id: null,
      name,
      description,
    })
    await floatingIpChanged(ctx.db, row, 'create', ctx.now)
    return viewFloatingIp(row)
  },

  async floating_ip_view(ctx) {
    return viewFloatingIp(await lookup(ctx))
  },

  async floating_ip_update(ctx) {
    const row = await lookup(ctx)
    const name = ctx.body.name ?? row.name!
    const description = ctx.body.description ?? row.description
    if (name !== row.name) await requireFreeName(ctx, row.project_id, name)
    const updated = { ...row, name, description, time_modified: ctx.now.toISOString() }
    await ctx.db.updateTable('external_ip').set(updated).where('id', '=', row.id).execute()
    await floatingIpChanged(ctx.db, updated, 'update', ctx.now)
    return viewFloatingIp(updated)
  },

  async floating_ip_delete(ctx) {
    const row = await lookup(ctx)
    if (row.instance_id !== null) {
      throw fail.invalidRequest(deletionRefusals.floating_ip)
    }
    await ctx.db.deleteFrom('external_ip').where('id', '=', row.id).execute()
    await floatingIpChanged(ctx.db, row, 'delete', ctx.now)
  },

  async floating_ip_attach(ctx) {
    const row = await lookup(ctx)
    const { parent } = ctx.body
    // By name it is one of the project of the address.
    const project = isUuid(parent) ? undefined : row.project_id
    const instance = await lookupChild(ctx, 'instance', parent, { project })
    return viewFloatingIp(await attachFloating(ctx, row, instance))
  },

  async floating_ip_detach(ctx) {
    return viewFloatingIp(await detachFloating(ctx, await lookup(ctx)))
  },
}
