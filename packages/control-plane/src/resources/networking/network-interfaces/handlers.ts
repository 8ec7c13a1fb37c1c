import type { tables } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { each } from '../../../kernel/search/search.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { addInterface, deleteInterface, updateInterface } from './change.ts'
import { toWireNetworkInterface } from './wire.ts'

const interfaces = usualHandlers('network_interface', each(toWireNetworkInterface), 'interface')

export const networkInterfaceHandlers: Handlers<typeof tables.networkInterfaceOperations> = {
  instance_network_interface_list: interfaces.list,
  instance_network_interface_view: interfaces.view,
  instance_network_interface_update: interfaces.change(updateInterface),
  instance_network_interface_delete: interfaces.delete(deleteInterface),

  async instance_network_interface_create(ctx) {
    const instance = await interfaces.container(ctx)
    return toWireNetworkInterface(await addInterface(ctx, instance, ctx.body))
  },
}
