import { createRoute } from '@tanstack/react-router'
import { HardDrive } from 'lucide-react'
import { prefetch, prefetchInBackground } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { diskListDefinition, diskQuery, instanceNamesQuery } from './queries.ts'

const { list, index, trail } = listRoutes(projectRoute, 'disks', '/disks', {
  list: diskListDefinition,
  crumb: 'Disks',
  nav: { group: 'compute', icon: HardDrive, shortcut: 'goDisks' },
  page: lazyPage(() => import('./disks-page.tsx'), 'DisksPage'),
  // Skeletons stand in for the names of instances.
  load: ({ project }) => prefetchInBackground(instanceNamesQuery(project)),
})

const loadDisk = ({ project, disk }: { project: string; disk: string }) =>
  prefetch(diskQuery(project, disk))

export const diskListRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/disks-new': ['New disk', lazyPage(() => import('./disk-create.tsx'), 'DiskCreatePage')],
    '/disks/$disk': ['Disk', lazyPage(() => import('./disk-details.tsx'), 'DiskView'), loadDisk],
    '/disks/$disk/resume-upload': [
      'Resume upload',
      lazyPage(() => import('../images/resume-page.tsx'), 'ResumeUploadPage'),
      loadDisk,
    ],
  }),
})

const page = createRoute({
  getParentRoute: () => trail,
  path: '/disks/$disk/overview',
  component: lazyPage(() => import('./disk-page.tsx'), 'DiskPage'),
  loader: ({ params }) => loadDisk(params),
  staticData: { crumb: ({ disk }) => disk! },
})

/** The page of a disk. Its panel has the shorter address. */
export const diskPageRoutes = trail.addChildren([page])
