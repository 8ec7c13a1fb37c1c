import { type DeclaredRelation } from '../../workspace/deletion/relations.ts'
import { dataOfImage } from './bytes.ts'
import { sql, type RawBuilder } from 'kysely'
import { deletionSentences, type JobResourceKind } from '@steading/api/rules'
import {
  described,
  each,
  number,
  searchOf,
  text,
  usualSorts,
} from '../../../kernel/search/search.ts'
import { step } from '../../../kernel/job-steps.ts'
import { requiring } from '../../../kernel/lookup.ts'
import { tagStep } from '../../workspace/tags/change.ts'
import { deleteImage, releaseKeptImage } from './delete.ts'
import { lookupImage } from './lookup.ts'
import { toWireImage } from './wire.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'
import { imageTables } from './table.ts'
import { gibOf } from '../../tenancy/usage/metered.ts'

declare module '../../../kernel/kinds.ts' {
  interface SharedTables {
    silo_image: 'image'
  }
}

/** The search of project images and silo images. */
const search = searchOf('image_search', {
  searched: [...described, 'os', 'version'],
  sorts: {
    ...usualSorts,
    os: text('os'),
    version: text('version'),
    size: number('size'),
  },
  filters: {},
  toWire: each(toWireImage),
})

/**
 * The images of snapshots that belong to an owner. Deleted snapshots count, because images made of
 * them still exist.
 */
const madeOf = (owner: JobResourceKind, pairs: RawBuilder<unknown>): DeclaredRelation => ({
  owner,
  relation: 'stays',
  pairs,
  reason: deletionSentences.kept,
  elsewhere: true,
})

export const image: StoredKind<'image'> = {
  tables: imageTables,
  live: 'time_deleted is null and project_id is not null',
  // Images of the silo as well.
  metered: {
    amounts: { image: gibOf('its.size') },
    while: 'its.time_deleted is null',
    name: 'its.name',
    silo: 'its.silo_id',
    since: 'its.time_created',
  },
  search,
  steps: {
    delete: step('image_delete', async (work, id) =>
      deleteImage(work, await lookupImage(work, id)),
    ),
    // Jobs also treat images of the silo as this kind.
    tag: tagStep(['image', 'silo_image'], async (work, id) => {
      const { project_id } = await lookupImage(
        requiring(work, { image: 'modify', silo_image: 'modify' }),
        id,
      )
      return project_id === null ? 'silo_image' : 'image'
    }),
  },
  restoration: { release: releaseKeptImage },
  // Plans also treat images of the silo as this kind.
  deletion: {
    columns: { project_id: 'project_id', silo_id: 'silo_id' },
    live: 'time_deleted is null',
    parts: dataOfImage,
    access: ({ project_id }) => (project_id === null ? 'silo_image' : 'image'),
  },
  relations: [
    madeOf(
      'instance',
      sql`select image.id, disk.instance_id as owner_id from image
        join snapshot on snapshot.id = image.snapshot_id
        join disk on disk.id = snapshot.disk_id and disk.time_deleted is null`,
    ),
    madeOf(
      'disk',
      sql`select image.id, snapshot.disk_id as owner_id from image
        join snapshot on snapshot.id = image.snapshot_id`,
    ),
    madeOf('snapshot', sql`select id, snapshot_id as owner_id from image`),
    // The project's own images are part of its contents.
    madeOf(
      'project',
      sql`select image.id, snapshot.project_id as owner_id from image
        join snapshot on snapshot.id = image.snapshot_id
        where image.project_id is null or image.project_id != snapshot.project_id`,
    ),
  ],
}

export const silo_image: StoredKind<'silo_image'> = {
  table: 'image',
  live: 'time_deleted is null and project_id is null',
  search,
}
