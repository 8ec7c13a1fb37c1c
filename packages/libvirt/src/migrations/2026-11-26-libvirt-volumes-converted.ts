import type { Kysely } from 'kysely'
import { type Dialect, table } from '@steading/control-plane/engine'

/** Layers that get the contents of images in volumes. */
export const up = async (db: Kysely<unknown>, dialect: Dialect): Promise<void> => {
  await table(
    db,
    dialect,
    'libvirt_conversion',
    { volume_id: 'text', layer_id: 'text' },
    ['volume_id'],
    { volume_id: 'libvirt_volume' },
  )
}
