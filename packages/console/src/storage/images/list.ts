import type { ListDefinition } from '../../data/lists.ts'

export const projectImageListDefinition: ListDefinition<'imageList'> = {
  kind: 'image',
  id: 'images',
  operation: 'imageList',
  searched: 'imageSearch',
}

export const siloImageListDefinition: ListDefinition<'imageList'> = {
  kind: 'silo_image',
  id: 'silo-images',
  operation: 'imageList',
  searched: 'imageSearch',
}
