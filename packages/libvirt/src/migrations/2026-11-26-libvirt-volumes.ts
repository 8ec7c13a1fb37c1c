import type { Kysely } from 'kysely'
import { type Dialect, index, table } from '@steading/control-plane/engine'

/** Volumes, the layers that hold their bytes, and what was written to them in an import. */
export const up = async (db: Kysely<unknown>, dialect: Dialect): Promise<void> => {
  await table(
    db,
    dialect,
    'libvirt_layer',
    { id: 'text', parent_id: 'text?', size: 'bigint', made: 'int' },
    ['id'],
  )
  await index(db, 'libvirt_layer_parent', 'libvirt_layer', ['parent_id'])
  await table(
    db,
    dialect,
    'libvirt_volume',
    {
      id: 'text',
      layer_id: 'text',
      size: 'bigint',
      is_snapshot: 'int',
      sealed: 'int',
      machine_id: 'text?',
      next_layer_id: 'text?',
      consistency: 'text?',
    },
    ['id'],
  )
  await index(db, 'libvirt_volume_layer', 'libvirt_volume', ['layer_id'])
  await index(db, 'libvirt_volume_next_layer', 'libvirt_volume', ['next_layer_id'], {
    where: 'next_layer_id is not null',
  })
  await table(
    db,
    dialect,
    'libvirt_written',
    { volume_id: 'text', start: 'bigint', length: 'bigint' },
    ['volume_id', 'start'],
    { volume_id: 'libvirt_volume' },
  )
}
