import type { tables, Wire } from '@steading/api'
import { FLEET_ID, IMAGE_CATALOG_MAX, imageCatalogMessages } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { versioning } from '../../workspace/setting-versions/keep.ts'
import { readCatalog, writeCatalog } from './catalog.ts'

/** @throws ApiError 400 for too many images, or two with the same name */
function requireValid(images: readonly Wire.WellKnownImage[]): void {
  const refuse = (text: string) => fail.invalidValue('images', text)
  if (images.length > IMAGE_CATALOG_MAX) throw refuse(imageCatalogMessages.tooMany)
  const names = new Set<string>()
  for (const { name } of images) {
    if (name === '') throw refuse(imageCatalogMessages.noName)
    if (names.has(name)) throw refuse(imageCatalogMessages.sameName(name))
    names.add(name)
  }
}

export const imageCatalogHandlers: Handlers<typeof tables.imageCatalogOperations> = {
  image_catalog_view: (ctx) => readCatalog(ctx.db),

  async image_catalog_update(ctx) {
    authorize(ctx, 'fleet', {})
    const { images } = ctx.body
    if (images) requireValid(images)
    return versioning(ctx, 'image_catalog', FLEET_ID, async () => {
      await writeCatalog(ctx.db, images)
      await ctx.emit('fleet', 'update', { id: FLEET_ID, name: 'fleet' })
      return readCatalog(ctx.db)
    })
  },
}
