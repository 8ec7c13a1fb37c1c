import type { Wire } from '@steading/api'
import { defaultImageCatalog } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

/** Key of the list among the settings; without a row it is the default. */
const KEY = 'image_catalog'
const column = jsonColumn<Wire.WellKnownImage[]>()

export async function readCatalog(db: Db): Promise<Wire.ImageCatalog> {
  const row = await db
    .selectFrom('setting')
    .select('value')
    .where('key', '=', KEY)
    .executeTakeFirst()
  return row
    ? { images: column.read(row.value), is_default: false }
    : { images: [...defaultImageCatalog], is_default: true }
}

/** @param images null for the default */
export async function writeCatalog(db: Db, images: Wire.WellKnownImage[] | null): Promise<void> {
  if (images === null) {
    await db.deleteFrom('setting').where('key', '=', KEY).execute()
    return
  }
  const value = column.write(images)
  await db
    .insertInto('setting')
    .values({ key: KEY, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}
