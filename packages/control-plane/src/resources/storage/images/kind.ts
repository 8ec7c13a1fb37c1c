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
import { kinds } from '@steading/api/rules'
import { storeTable } from '../../../kernel/db/tables.ts'
import type { ImageTable } from './table.ts'
import { storeKind } from '../../../kernel/kinds.ts'
import './deletion.ts'

declare module '../../../kernel/kinds.ts' {
  interface KindTables {
    image: ImageTable
    silo_image: ImageTable
  }
}

storeTable('image', {
  marked: true,
  within: { silo_id: 'silo', project_id: 'project' },
  origins: { snapshot_id: 'snapshot' },
  names: {
    image_project_name: kinds.image.namedType,
    image_silo_name: kinds.silo_image.namedType,
  },
})

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

storeKind('image', {
  table: 'image',
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
})

storeKind('silo_image', {
  table: 'image',
  live: 'time_deleted is null and project_id is null',
  search,
})
