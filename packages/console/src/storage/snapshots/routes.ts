import { Camera } from 'lucide-react'
import { prefetch, prefetchInBackground } from '../../data/api.ts'
import { projectDisksQuery } from '../disks/queries.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { snapshotListDefinition, diskNamesQuery, snapshotQuery } from './queries.ts'

const { list, index } = listRoutes(projectRoute, 'snapshots', '/snapshots', {
  list: snapshotListDefinition,
  crumb: 'Snapshots',
  nav: { group: 'compute', icon: Camera, shortcut: 'goSnapshots' },
  page: lazyPage(() => import('./snapshots-page.tsx'), 'SnapshotsPage'),
  // Skeletons stand in for the names of disks.
  load: ({ project }) => prefetchInBackground(diskNamesQuery(project)),
})

export const snapshotListRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/snapshots-new': [
      'New snapshot',
      lazyPage(() => import('./snapshot-create.tsx'), 'SnapshotCreateForm'),
      ({ project }) => prefetchInBackground(projectDisksQuery(project)),
    ],
    '/snapshots/$snapshot/images-new': [
      'Create image from snapshot',
      lazyPage(() => import('./image-from-snapshot.tsx'), 'ImageFromSnapshotForm'),
      ({ project, snapshot }) => prefetch(snapshotQuery(project, snapshot)),
    ],
  }),
})
