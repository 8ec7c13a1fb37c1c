import type { ListDefinition } from '../data/lists.ts'

export const projectImageListDefinition: ListDefinition<'imageList'> = {
  id: 'images',
  operation: 'imageList',
  searched: 'imageSearch',
}

export const siloImageListDefinition: ListDefinition<'imageList'> = {
  id: 'silo-images',
  operation: 'imageList',
  searched: 'imageSearch',
}
