import type { deletionOperations, Wire } from '@steading/api'
import type { Handlers } from '../../kernel/context.ts'
import { lookup } from '../../kernel/lookup.ts'
import { lookupImage } from '../images/lookup.ts'
import { aroundProject } from './around-project.ts'
import { aroundDisk, aroundImage, aroundInstance, aroundSnapshot } from './around.ts'

const deletion = (groups: Wire.DeletionGroup[][]): Wire.Deletion => ({ groups: groups.flat() })

/**
 * Handlers that describe a deletion: what is deleted with the thing, what stays, and what is in the
 * way.
 */
export const deletionHandlers: Handlers<typeof deletionOperations> = {
  async instance_deletion(ctx) {
    const instance = await lookup(ctx, 'instance', ctx.params.instance, ctx.query)
    return deletion(await aroundInstance(ctx, instance))
  },
  async disk_deletion(ctx) {
    const disk = await lookup(ctx, 'disk', ctx.params.disk, ctx.query)
    return deletion(await aroundDisk(ctx, disk))
  },
  async snapshot_deletion(ctx) {
    const snapshot = await lookup(ctx, 'snapshot', ctx.params.snapshot, ctx.query)
    return deletion(await aroundSnapshot(ctx, snapshot))
  },
  async image_deletion(ctx) {
    const image = await lookupImage(ctx, ctx.params.image, ctx.query.project)
    return deletion(await aroundImage(ctx, image))
  },
  async project_deletion(ctx) {
    const project = await lookup(ctx, 'project', ctx.params.project)
    return deletion(await aroundProject(ctx, project))
  },
}
