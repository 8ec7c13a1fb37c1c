import { createRoute } from '@tanstack/react-router'
import { Camera } from 'lucide-react'
import { prefetch, prefetchInBackground } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { projectDisksQuery } from '../disks/queries.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { snapshotListDefinition, diskNamesQuery, snapshotQuery } from './queries.ts'

const list = createRoute({
  getParentRoute: () => projectRoute,
  id: 'snapshots',
  component: lazyPage(() => import('./snapshots-page.tsx'), 'SnapshotsPage'),
  ...searchedRoute(snapshotListDefinition),
  loader: ({ params: { project }, ...visit }) => {
    // Skeletons stand in for the names of disks.
    prefetchInBackground(diskNamesQuery(project))
    return prefetchList(snapshotListDefinition, { project }, visit)
  },
  staticData: { crumb: 'Snapshots', crumbTo: ({ project }) => `/projects/${project}/snapshots` },
})

const index = createRoute({
  getParentRoute: () => list,
  path: '/snapshots',
  staticData: { nav: { group: 'compute', icon: Camera, shortcut: 'goSnapshots' } },
})

const create = createRoute({
  getParentRoute: () => list,
  path: '/snapshots-new',
  component: lazyPage(() => import('./snapshot-create.tsx'), 'SnapshotCreateForm'),
  loader: ({ params: { project } }) => prefetchInBackground(projectDisksQuery(project)),
  staticData: { crumb: 'New snapshot', titleOnly: true },
})

const createImage = createRoute({
  getParentRoute: () => list,
  path: '/snapshots/$snapshot/images-new',
  component: lazyPage(() => import('./image-from-snapshot.tsx'), 'ImageFromSnapshotForm'),
  loader: ({ params: { project, snapshot } }) => prefetch(snapshotQuery(project, snapshot)),
  staticData: { crumb: 'Create image from snapshot', titleOnly: true },
})

export const snapshotListRoutes = list.addChildren([index, create, createImage])
