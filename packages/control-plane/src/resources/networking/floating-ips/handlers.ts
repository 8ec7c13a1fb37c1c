import type { tables, Wire } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { ifNamed, type LookupContext, lookup, requireFreeName } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import type { Work } from '../../../kernel/work.ts'
import { insertAddress } from '../external-ips/allocate.ts'
import { attachFloating, detachFloating } from '../external-ips/floating.ts'
import { type PoolRow, poolOfAddress, selectPool } from '../external-ips/pools.ts'
import { toWireFloatingIp } from '../external-ips/wire.ts'
import { takeAddress, takeThisAddress } from '../ip-pools/addresses.ts'
import { deleteFloatingIp } from './delete.ts'
import { named } from '../../../kernel/search/name-key.ts'

interface NamesFloatingIp {
  params: { floating_ip: string }
  query: { project?: string }
}

const lookupFloating = (ctx: LookupContext<'floating_ip'> & NamesFloatingIp) =>
  lookup(ctx, 'floating_ip', ctx.params.floating_ip, { project: ctx.query.project })

/** Takes the requested address, or the lowest free one. */
async function allocate(
  { db, actor }: Pick<Work, 'db' | 'actor'>,
  allocator: Wire.AddressAllocator,
): Promise<{ pool: PoolRow; key: string }> {
  const { siloId } = actor
  if (allocator.type === 'auto') {
    const pool = await selectPool(db, siloId, allocator.pool_selector)
    return { pool, key: await takeAddress(db, pool) }
  }
  const found = await poolOfAddress(db, siloId, allocator.ip)
  if (!(await takeThisAddress(db, found.pool, found.key))) {
    throw fail.invalidRequest('Requested external IP address not available')
  }
  return found
}

export const floatingIpHandlers: Handlers<typeof tables.floatingIpOperations> = {
  async floating_ip_list(ctx) {
    const { id } = await lookup(ctx, 'project', ctx.query.project!)
    const rows = rowsOf(ctx.db, 'floating_ip').selectAll().where('project_id', '=', id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireFloatingIp)
  },

  async floating_ip_search(ctx) {
    const { id } = await lookup(ctx, 'project', ctx.query.project!)
    return searchList(ctx, 'floating_ip', id)
  },

  async floating_ip_create(ctx) {
    const project = await lookup(ctx, 'project', ctx.query.project)
    const { name, description, address_allocator } = ctx.body
    await requireFreeName(ctx.db, 'floating_ip', project.id, name)
    const { pool, key } = await allocate(ctx, address_allocator)
    const row = await insertAddress(ctx, pool, key, {
      kind: 'floating',
      project_id: project.id,
      instance_id: null,
      name,
      description,
    })
    await ctx.emit('floating_ip', 'create', row)
    return toWireFloatingIp(row)
  },

  async floating_ip_view(ctx) {
    return toWireFloatingIp(await lookupFloating(ctx))
  },

  async floating_ip_update(ctx) {
    const row = await lookupFloating(ctx)
    const name = ctx.body.name ?? row.name!
    const description = ctx.body.description ?? row.description
    if (name !== row.name) await requireFreeName(ctx.db, 'floating_ip', row.project_id, name)
    const updated = { ...row, ...named(name), description, time_modified: ctx.now.toISOString() }
    await ctx.db.updateTable('external_ip').set(updated).where('id', '=', row.id).execute()
    await ctx.emit('floating_ip', 'update', updated)
    return toWireFloatingIp(updated)
  },

  async floating_ip_delete(ctx) {
    await deleteFloatingIp(ctx, await lookupFloating(ctx))
  },

  async floating_ip_attach(ctx) {
    const row = await lookupFloating(ctx)
    const { parent } = ctx.body
    // A name means an instance in the project of the address.
    const inProject = ifNamed(parent, { project: row.project_id })
    const instance = await lookup(ctx, 'instance', parent, inProject)
    return toWireFloatingIp(await attachFloating(ctx, row, instance))
  },

  async floating_ip_detach(ctx) {
    return toWireFloatingIp(await detachFloating(ctx, await lookupFloating(ctx)))
  },
}
