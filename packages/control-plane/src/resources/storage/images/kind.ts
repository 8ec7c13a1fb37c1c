import {
  described,
  each,
  number,
  searchOf,
  text,
  usualSorts,
} from '../../../kernel/search/search.ts'
import { step } from '../../../kernel/steps.ts'
import { deleteImage } from './delete.ts'
import { lookupImage } from './lookup.ts'
import { viewImage } from './view.ts'
import type { StoredKind } from '../../../kernel/kinds.ts'
import './deletion.ts'
import { imageTables } from './table.ts'

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
  views: each(viewImage),
})

export const image: StoredKind<'image'> = {
  tables: imageTables,
  live: 'time_deleted is null and project_id is not null',
  search,
  steps: {
    delete: step('image_delete', async (work, id) =>
      deleteImage(work, await lookupImage(work, id)),
    ),
  },
  // Plans treat images of the silo as this kind, too.
  deletion: {
    columns: { project_id: 'project_id', silo_id: 'silo_id' },
    live: 'time_deleted is null',
    access: ({ project_id }) => (project_id === null ? 'silo_image' : 'image'),
  },
}

export const silo_image: StoredKind<'silo_image'> = {
  table: 'image',
  live: 'time_deleted is null and project_id is null',
  search,
}
