import { createRoute } from '@tanstack/react-router'
import { Disc3 } from 'lucide-react'
import { apiQuery, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { systemRoute } from '../../page/parent-routes.ts'

const page = createRoute({
  getParentRoute: () => systemRoute,
  id: 'image-catalog',
  component: lazyPage(() => import('./catalog-page.tsx'), 'ImageCatalogPage'),
  loader: () => prefetch(apiQuery('imageCatalogView', {})),
  staticData: { crumb: 'Image Catalog', crumbTo: '/system/image-catalog' },
})

const index = createRoute({
  getParentRoute: () => page,
  path: '/system/image-catalog',
  staticData: { nav: { group: 'maintain', icon: Disc3 } },
})

const create = createRoute({
  getParentRoute: () => page,
  path: '/system/image-catalog-new',
  component: lazyPage(() => import('./catalog-form.tsx'), 'CatalogCreateForm'),
  staticData: { crumb: 'Add image', titleOnly: true },
})

const edit = createRoute({
  getParentRoute: () => page,
  path: '/system/image-catalog/$known/edit',
  component: lazyPage(() => import('./catalog-form.tsx'), 'CatalogEditForm'),
  staticData: { crumb: 'Edit image', titleOnly: true },
})

export const imageCatalogRoutes = page.addChildren([index, create, edit])
