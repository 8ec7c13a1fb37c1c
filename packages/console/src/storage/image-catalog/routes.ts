import { createRoute } from '@tanstack/react-router'
import { Disc3 } from 'lucide-react'
import { prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { panelRoutes } from '../../page/routes.ts'
import { systemRoute } from '../../page/parent-routes.ts'
import { catalogQuery } from './queries.ts'

const page = createRoute({
  getParentRoute: () => systemRoute,
  id: 'image-catalog',
  component: lazyPage(() => import('./catalog-page.tsx'), 'ImageCatalogPage'),
  loader: () => prefetch(catalogQuery),
  staticData: { crumb: 'Image Catalog', crumbTo: '/system/image-catalog' },
})

const index = createRoute({
  getParentRoute: () => page,
  path: '/system/image-catalog',
  staticData: { nav: { group: 'maintain', icon: Disc3 } },
})

export const imageCatalogRoutes = page.addChildren({
  index,
  ...panelRoutes(page, {
    '/system/image-catalog-new': [
      'Add image',
      lazyPage(() => import('./catalog-form.tsx'), 'CatalogCreateForm'),
    ],
    '/system/image-catalog/$known/edit': [
      'Edit image',
      lazyPage(() => import('./catalog-form.tsx'), 'CatalogEditForm'),
    ],
  }),
})
