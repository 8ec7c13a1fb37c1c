import { Folder } from 'lucide-react'
import { apiQuery, prefetch } from '../../data/api.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { siloRoute } from '../../page/parent-routes.ts'
import { projectListDefinition } from './queries.ts'

const { list, index } = listRoutes(siloRoute, 'projects', '/projects', {
  list: projectListDefinition,
  crumb: 'Projects',
  nav: { icon: Folder, shortcut: 'goProjects' },
  page: lazyPage(() => import('./projects-page.tsx'), 'ProjectsPage'),
})

export const projectListRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/projects-new': [
      'New project',
      lazyPage(() => import('./project-forms.tsx'), 'ProjectCreateForm'),
    ],
    '/projects/$project/edit': [
      'Edit project',
      lazyPage(() => import('./project-forms.tsx'), 'ProjectEditForm'),
      ({ project }) => prefetch(apiQuery('projectView', { path: { project } })),
    ],
  }),
})
