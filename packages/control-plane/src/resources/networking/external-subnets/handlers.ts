import type { tables } from '@steading/api'
import { parseNetwork } from '@steading/api/rules'
import type { Handlers } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { ifNamed, lookup, requireFreeName } from '../../../kernel/lookup.ts'
import { each } from '../../../kernel/search/search.ts'
import { changeNamed, insertNamed } from '../../../kernel/named-rows.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { addressOfKey } from '../addresses/keys.ts'
import { allocateSubnet } from './allocate.ts'
import { attachExternalSubnet, detachExternalSubnet } from './attach.ts'
import { deleteExternalSubnet, toWireExternalSubnet } from './kind.ts'

const subnets = usualHandlers('external_subnet', each(toWireExternalSubnet))

export const externalSubnetHandlers: Handlers<typeof tables.externalSubnetOperations> = {
  external_subnet_list: subnets.list,
  external_subnet_search: subnets.search,
  external_subnet_view: subnets.view,
  external_subnet_update: subnets.change((ctx, row, body) =>
    changeNamed(ctx, 'external_subnet', row, body),
  ),
  external_subnet_delete: subnets.delete(deleteExternalSubnet),
  external_subnet_detach: subnets.change(detachExternalSubnet),

  async external_subnet_create(ctx) {
    const project = await subnets.container(ctx)
    await requireFreeName(ctx.db, 'external_subnet', project.id, ctx.body.name)
    const { member, block } = await allocateSubnet(ctx, ctx.body.allocator)
    const ip = addressOfKey(block.first_key, parseNetwork(member.subnet)!.version)
    const row = await insertNamed(ctx, 'external_subnet', ctx.body, {
      subnet: `${ip}/${block.prefix_length}`,
      ip,
      ...block,
      subnet_pool_id: member.subnet_pool_id,
      subnet_pool_member_id: member.id,
      project_id: project.id,
      instance_id: null,
    })
    return toWireExternalSubnet(row)
  },

  async external_subnet_attach(ctx) {
    const row = await subnets.find(ctx)
    const { instance: selector } = ctx.body
    // A name means an instance in the project of the subnet.
    const inProject = ifNamed(selector, { project: row.project_id })
    const instance = await lookup(ctx, 'instance', selector, inProject)
    return toWireExternalSubnet(await attachExternalSubnet(ctx, row, instance))
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
