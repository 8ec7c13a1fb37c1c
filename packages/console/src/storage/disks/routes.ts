import { createRoute } from '@tanstack/react-router'
import { HardDrive } from 'lucide-react'
import { apiQuery, prefetch, prefetchInBackground } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { instanceNamesQuery, diskListDefinition } from './queries.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute } from '../../page/parent-routes.ts'

const list = createRoute({
  getParentRoute: () => projectRoute,
  id: 'disks',
  component: lazyPage(() => import('./disks-page.tsx'), 'DisksPage'),
  ...searchedRoute(diskListDefinition),
  loader: ({ params: { project }, ...visit }) => {
    // Skeletons stand in for the names of instances.
    prefetchInBackground(instanceNamesQuery(project))
    return prefetchList(diskListDefinition, { project }, visit)
  },
  staticData: { crumb: 'Disks', crumbTo: ({ project }) => `/projects/${project}/disks` },
})

const index = createRoute({
  getParentRoute: () => list,
  path: '/disks',
  staticData: { nav: { group: 'compute', icon: HardDrive, shortcut: 'goDisks' } },
})

const create = createRoute({
  getParentRoute: () => list,
  path: '/disks-new',
  component: lazyPage(() => import('./disk-form.tsx'), 'DiskCreatePage'),
  staticData: { crumb: 'New disk', titleOnly: true },
})

const view = createRoute({
  getParentRoute: () => list,
  path: '/disks/$disk',
  component: lazyPage(() => import('./disk-details.tsx'), 'DiskView'),
  loader: ({ params: { project, disk } }) =>
    prefetch(apiQuery('diskView', { path: { disk }, query: { project } })),
  staticData: { crumb: 'Disk', titleOnly: true },
})

const resumeUpload = createRoute({
  getParentRoute: () => list,
  path: '/disks/$disk/resume-upload',
  component: lazyPage(() => import('../images/resume-page.tsx'), 'ResumeUploadPage'),
  loader: ({ params: { project, disk } }) =>
    prefetch(apiQuery('diskView', { path: { disk }, query: { project } })),
  staticData: { crumb: 'Resume upload', titleOnly: true },
})

export const diskListRoutes = list.addChildren([index, create, view, resumeUpload])
