import type { Wire } from '@steading/api'
import { defaultImageCatalog } from '@steading/api/rules'
import type { Db } from '../../../kernel/db/database.ts'
import { jsonColumn } from '../../../kernel/db/json-column.ts'
import { readSetting, writeSetting } from '../../../kernel/db/setting.ts'

/** Key of the list among the settings; without a row it is the default. */
const KEY = 'image_catalog'
const column = jsonColumn<Wire.WellKnownImage[]>()

export async function readCatalog(db: Db): Promise<Wire.ImageCatalog> {
  const stored = await readSetting(db, KEY)
  return stored === undefined
    ? { images: [...defaultImageCatalog], is_default: true }
    : { images: column.read(stored), is_default: false }
}

/** @param images null for the default */
export async function writeCatalog(db: Db, images: Wire.WellKnownImage[] | null): Promise<void> {
  if (images === null) await db.deleteFrom('setting').where('key', '=', KEY).execute()
  else await writeSetting(db, KEY, column.write(images))
}
