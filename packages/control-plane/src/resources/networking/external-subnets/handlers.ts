import type { tables } from '@steading/api'
import { parseNetwork } from '@steading/api/rules'
import type { Handlers } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { searchList } from '../../../kernel/list.ts'
import { ifNamed, type LookupContext, lookup, requireFreeName } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { named } from '../../../kernel/search/name-key.ts'
import { addressOfKey } from '../addresses/keys.ts'
import { allocateSubnet } from './allocate.ts'
import { attachExternalSubnet, detachExternalSubnet } from './attach.ts'
import { deleteExternalSubnet } from './delete.ts'
import { type ExternalSubnetRow, toWireExternalSubnet } from './wire.ts'

interface NamesExternalSubnet {
  params: { external_subnet: string }
  query: { project?: string }
}

const lookupSubnet = (ctx: LookupContext<'external_subnet'> & NamesExternalSubnet) =>
  lookup(ctx, 'external_subnet', ctx.params.external_subnet, { project: ctx.query.project })

export const externalSubnetHandlers: Handlers<typeof tables.externalSubnetOperations> = {
  async external_subnet_list(ctx) {
    const { id } = await lookup(ctx, 'project', ctx.query.project!)
    const rows = rowsOf(ctx.db, 'external_subnet').selectAll().where('project_id', '=', id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireExternalSubnet)
  },

  async external_subnet_search(ctx) {
    const { id } = await lookup(ctx, 'project', ctx.query.project!)
    return searchList(ctx, 'external_subnet', id)
  },

  async external_subnet_create(ctx) {
    const project = await lookup(ctx, 'project', ctx.query.project)
    const { name, description, allocator } = ctx.body
    await requireFreeName(ctx.db, 'external_subnet', project.id, name)
    const { member, block } = await allocateSubnet(ctx, allocator)
    const time = ctx.now.toISOString()
    const ip = addressOfKey(block.first_key, parseNetwork(member.subnet)!.version)
    const row: ExternalSubnetRow = {
      id: crypto.randomUUID(),
      ...named(name),
      description,
      time_created: time,
      time_modified: time,
      subnet: `${ip}/${block.prefix_length}`,
      ip,
      ...block,
      subnet_pool_id: member.subnet_pool_id,
      subnet_pool_member_id: member.id,
      project_id: project.id,
      instance_id: null,
    }
    await ctx.db.insertInto('external_subnet').values(row).execute()
    await ctx.emit('external_subnet', 'create', row)
    return toWireExternalSubnet(row)
  },

  async external_subnet_view(ctx) {
    return toWireExternalSubnet(await lookupSubnet(ctx))
  },

  async external_subnet_update(ctx) {
    const row = await lookupSubnet(ctx)
    const name = ctx.body.name ?? row.name
    const description = ctx.body.description ?? row.description
    if (name !== row.name) await requireFreeName(ctx.db, 'external_subnet', row.project_id, name)
    const updated = { ...row, ...named(name), description, time_modified: ctx.now.toISOString() }
    await ctx.db.updateTable('external_subnet').set(updated).where('id', '=', row.id).execute()
    await ctx.emit('external_subnet', 'update', updated)
    return toWireExternalSubnet(updated)
  },

  async external_subnet_delete(ctx) {
    await deleteExternalSubnet(ctx, await lookupSubnet(ctx))
  },

  async external_subnet_attach(ctx) {
    const row = await lookupSubnet(ctx)
    const { instance: selector } = ctx.body
    // A name means an instance in the project of the subnet.
    const inProject = ifNamed(selector, { project: row.project_id })
    const instance = await lookup(ctx, 'instance', selector, inProject)
    return toWireExternalSubnet(await attachExternalSubnet(ctx, row, instance))
  },

  async external_subnet_detach(ctx) {
    return toWireExternalSubnet(await detachExternalSubnet(ctx, await lookupSubnet(ctx)))
  },

  async instance_external_subnet_list(ctx) {
    const { instance, project } = { ...ctx.params, ...ctx.query }
    const { id } = await lookup(ctx, 'instance', instance, { project })
    const rows = await rowsOf(ctx.db, 'external_subnet')
      .selectAll()
      .where('instance_id', '=', id)
      .orderBy('name')
      .execute()
    return { items: rows.map(toWireExternalSubnet), next_page: null }
  },
}
