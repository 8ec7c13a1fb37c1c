import type { Handlers } from '../../kernel/context.ts'
import { lookupChild } from '../../kernel/lookup.ts'
import { listPage } from '../../kernel/paging.ts'
import { addInterface, deleteInterface, updateInterface } from './change.ts'
import { viewNetworkInterface } from './view.ts'

type NetworkInterfaceOperation =
  | 'instance_network_interface_list'
  | 'instance_network_interface_view'
  | 'instance_network_interface_create'
  | 'instance_network_interface_update'
  | 'instance_network_interface_delete'

export const networkInterfaceHandlers: Handlers<NetworkInterfaceOperation> = {
  async instance_network_interface_list(ctx) {
    const instance = await lookupChild(ctx, 'instance', ctx.query.instance!, ctx.query)
    const query = ctx.db
      .selectFrom('network_interface')
      .selectAll()
      .where('instance_id', '=', instance.id)
    return listPage(ctx.page, query, { name: 'name', id: 'id' }, viewNetworkInterface)
  },

  async instance_network_interface_view(ctx) {
    const row = await lookupChild(ctx, 'network_interface', ctx.params.interface, ctx.query)
    return viewNetworkInterface(row)
  },

  async instance_network_interface_create(ctx) {
    const instance = await lookupChild(ctx, 'instance', ctx.query.instance, ctx.query)
    return viewNetworkInterface(await addInterface(ctx, instance, ctx.body))
  },

  async instance_network_interface_update(ctx) {
    const row = await lookupChild(ctx, 'network_interface', ctx.params.interface, ctx.query)
    return viewNetworkInterface(await updateInterface(ctx, row, ctx.body))
  },

  async instance_network_interface_delete(ctx) {
    await deleteInterface(
      ctx,
      await lookupChild(ctx, 'network_interface', ctx.params.interface, ctx.query),
    )
  },
}
