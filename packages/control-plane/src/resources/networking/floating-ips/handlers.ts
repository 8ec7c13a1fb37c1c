import type { tables, Wire } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { ifNamed, lookup, requireFreeName } from '../../../kernel/lookup.ts'
import type { Work } from '../../../kernel/work.ts'
import { insertAddress } from '../external-ips/allocate.ts'
import { attachFloating, detachFloating } from '../external-ips/floating.ts'
import { type PoolRow, poolOfAddress, selectPool } from '../external-ips/pools.ts'
import { toWireFloatingIp } from '../external-ips/kind.ts'
import { takeAddress, takeThisAddress } from '../ip-pools/addresses.ts'
import { deleteFloatingIp } from './kind.ts'
import { each } from '../../../kernel/search/search.ts'
import { changeNamed } from '../../../kernel/named-rows.ts'
import { usualHandlers } from '../../usual-handlers.ts'

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

const addresses = usualHandlers('floating_ip', each(toWireFloatingIp))

export const floatingIpHandlers: Handlers<typeof tables.floatingIpOperations> = {
  floating_ip_list: addresses.list,
  floating_ip_search: addresses.search,
  floating_ip_view: addresses.view,
  floating_ip_update: addresses.change((ctx, row, body) =>
    changeNamed(ctx, 'floating_ip', row, body),
  ),
  floating_ip_delete: addresses.delete(deleteFloatingIp),
  floating_ip_detach: addresses.change(detachFloating),

  async floating_ip_create(ctx) {
    const project = await addresses.container(ctx)
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

  async floating_ip_attach(ctx) {
    const row = await addresses.find(ctx)
    const { parent } = ctx.body
    // A name means an instance in the project of the address.
    const inProject = ifNamed(parent, { project: row.project_id })
    const instance = await lookup(ctx, 'instance', parent, inProject)
    return toWireFloatingIp(await attachFloating(ctx, row, instance))
  },
}
