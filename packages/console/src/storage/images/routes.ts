import { createRoute, redirect } from '@tanstack/react-router'
import { Disc3 } from 'lucide-react'
import { prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { projectRoute, siloRoute } from '../../page/parent-routes.ts'
import { projectImageListDefinition, siloImageListDefinition, imageQuery } from './queries.ts'

const { list: projectList, index: projectIndex } = listRoutes(projectRoute, 'images', '/images', {
  list: projectImageListDefinition,
  crumb: 'Images',
  nav: { group: 'compute', icon: Disc3, shortcut: 'goImages' },
  page: lazyPage(() => import('./project-images-page.tsx'), 'ProjectImagesPage'),
})

const upload = createRoute({
  getParentRoute: () => projectList,
  path: '/images-new',
  component: lazyPage(() => import('./upload-page.tsx'), 'UploadPage'),
  /** A download whose values are edited. */
  validateSearch: ({ download }: { download?: unknown }): { download?: string } =>
    typeof download === 'string' ? { download } : {},
  staticData: { crumb: 'Upload image', titleOnly: true },
})

/** Path of the former edit form: images cannot be changed. */
const projectEdit = createRoute({
  getParentRoute: () => projectList,
  path: '/images/$image/edit',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/projects/$project/images/$image', params, replace: true })
  },
})

export const projectImageRoutes = projectList.addChildren({
  index: projectIndex,
  upload,
  ...panelRoutes(projectList, {
    '/images/$image': [
      'Image',
      lazyPage(() => import('./image-details.tsx'), 'ProjectImageView'),
      ({ project, image }) => prefetch(imageQuery(image, project)),
    ],
  }),
  projectEdit,
})

const { list: siloList, index: siloIndex } = listRoutes(siloRoute, 'silo-images', '/images', {
  list: siloImageListDefinition,
  crumb: 'Images',
  nav: { icon: Disc3, shortcut: 'goImages' },
  page: lazyPage(() => import('./silo-images-page.tsx'), 'SiloImagesPage'),
})

const siloEdit = createRoute({
  getParentRoute: () => siloList,
  path: '/images/$image/edit',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/images/$image', params, replace: true })
  },
})

export const siloImageRoutes = siloList.addChildren({
  index: siloIndex,
  ...panelRoutes(siloList, {
    '/images/$image': [
      'Image',
      lazyPage(() => import('./image-details.tsx'), 'SiloImageView'),
      ({ image }) => prefetch(imageQuery(image)),
    ],
  }),
  siloEdit,
})
