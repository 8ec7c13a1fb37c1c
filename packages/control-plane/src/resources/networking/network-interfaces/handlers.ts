import type { tables } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { rowsOf } from '../../../kernel/kinds.ts'
import { lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { addInterface, deleteInterface, updateInterface } from './change.ts'
import { toWireNetworkInterface } from './wire.ts'

export const networkInterfaceHandlers: Handlers<typeof tables.networkInterfaceOperations> = {
  async instance_network_interface_list(ctx) {
    const instance = await lookup(ctx, 'instance', ctx.query.instance!, ctx.query)
    const rows = rowsOf(ctx.db, 'network_interface')
      .selectAll()
      .where('instance_id', '=', instance.id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireNetworkInterface)
  },

  async instance_network_interface_view(ctx) {
    const row = await lookup(ctx, 'network_interface', ctx.params.interface, ctx.query)
    return toWireNetworkInterface(row)
  },

  async instance_network_interface_create(ctx) {
    const instance = await lookup(ctx, 'instance', ctx.query.instance, ctx.query)
    return toWireNetworkInterface(await addInterface(ctx, instance, ctx.body))
  },

  async instance_network_interface_update(ctx) {
    const row = await lookup(ctx, 'network_interface', ctx.params.interface, ctx.query)
    return toWireNetworkInterface(await updateInterface(ctx, row, ctx.body))
  },

  async instance_network_interface_delete(ctx) {
    await deleteInterface(
      ctx,
      await lookup(ctx, 'network_interface', ctx.params.interface, ctx.query),
    )
  },
}
