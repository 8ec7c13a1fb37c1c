import { createRoute, redirect } from '@tanstack/react-router'
import { Disc3 } from 'lucide-react'
import { prefetch } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute, siloRoute } from '../../page/parent-routes.ts'
import { projectImageListDefinition, siloImageListDefinition, imageQuery } from './queries.ts'

const projectList = createRoute({
  getParentRoute: () => projectRoute,
  id: 'images',
  component: lazyPage(() => import('./project-images-page.tsx'), 'ProjectImagesPage'),
  ...searchedRoute(projectImageListDefinition),
  loader: ({ params: { project }, ...visit }) =>
    prefetchList(projectImageListDefinition, { project }, visit),
  staticData: { crumb: 'Images', crumbTo: ({ project }) => `/projects/${project}/images` },
})

const projectIndex = createRoute({
  getParentRoute: () => projectList,
  path: '/images',
  staticData: { nav: { group: 'compute', icon: Disc3, shortcut: 'goImages' } },
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

const projectView = createRoute({
  getParentRoute: () => projectList,
  path: '/images/$image',
  component: lazyPage(() => import('./image-details.tsx'), 'ProjectImageView'),
  loader: ({ params: { project, image } }) => prefetch(imageQuery(image, project)),
  staticData: { crumb: 'Image', titleOnly: true },
})

/** Path of the former edit form: images cannot be changed. */
const projectEdit = createRoute({
  getParentRoute: () => projectList,
  path: '/images/$image/edit',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/projects/$project/images/$image', params, replace: true })
  },
})

export const projectImageRoutes = projectList.addChildren([
  projectIndex,
  upload,
  projectView,
  projectEdit,
])

const siloList = createRoute({
  getParentRoute: () => siloRoute,
  id: 'silo-images',
  component: lazyPage(() => import('./silo-images-page.tsx'), 'SiloImagesPage'),
  ...searchedRoute(siloImageListDefinition),
  loader: (visit) => prefetchList(siloImageListDefinition, {}, visit),
  staticData: { crumb: 'Images', crumbTo: '/images' },
})

const siloIndex = createRoute({
  getParentRoute: () => siloList,
  path: '/images',
  staticData: { nav: { icon: Disc3, shortcut: 'goImages' } },
})

const siloView = createRoute({
  getParentRoute: () => siloList,
  path: '/images/$image',
  component: lazyPage(() => import('./image-details.tsx'), 'SiloImageView'),
  loader: ({ params: { image } }) => prefetch(imageQuery(image)),
  staticData: { crumb: 'Image', titleOnly: true },
})

const siloEdit = createRoute({
  getParentRoute: () => siloList,
  path: '/images/$image/edit',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/images/$image', params, replace: true })
  },
})

export const siloImageRoutes = siloList.addChildren([siloIndex, siloView, siloEdit])
