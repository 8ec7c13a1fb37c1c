import type { tables } from '@steading/api'
import type { Handlers } from '../../../kernel/context.ts'
import { each } from '../../../kernel/search/search.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { createDisk } from './create.ts'
import { deleteDisk } from './delete.ts'
import { toWireDisk } from './wire.ts'

const disks = usualHandlers('disk', each(toWireDisk))

export const diskHandlers: Handlers<typeof tables.diskOperations> = {
  disk_list: disks.list,
  disk_search: disks.search,
  disk_view: disks.view,
  disk_delete: disks.delete(deleteDisk),
  disk_deletion: disks.deletion,

  async disk_create(ctx) {
    const { id } = await createDisk(ctx, await disks.container(ctx), ctx.body)
    return disks.settled(ctx, id)
  },
}
