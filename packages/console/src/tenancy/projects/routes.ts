import { createRoute } from '@tanstack/react-router'
import { Folder } from 'lucide-react'
import { apiQuery, prefetch } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { siloRoute } from '../../page/parent-routes.ts'
import { projectListDefinition } from './queries.ts'

/** The list stays rendered under its side modals, which are its children. */
const list = createRoute({
  getParentRoute: () => siloRoute,
  id: 'projects',
  component: lazyPage(() => import('./projects-page.tsx'), 'ProjectsPage'),
  ...searchedRoute(projectListDefinition),
  loader: (visit) => prefetchList(projectListDefinition, {}, visit),
  staticData: { crumb: 'Projects', crumbTo: '/projects' },
})

const index = createRoute({
  getParentRoute: () => list,
  path: '/projects',
  staticData: { nav: { icon: Folder, shortcut: 'goProjects' } },
})

const create = createRoute({
  getParentRoute: () => list,
  path: '/projects-new',
  component: lazyPage(() => import('./project-forms.tsx'), 'ProjectCreateForm'),
  staticData: { crumb: 'New project', titleOnly: true },
})

const edit = createRoute({
  getParentRoute: () => list,
  path: '/projects/$project/edit',
  component: lazyPage(() => import('./project-forms.tsx'), 'ProjectEditForm'),
  loader: ({ params: { project } }) => prefetch(apiQuery('projectView', { path: { project } })),
  staticData: { crumb: 'Edit project', titleOnly: true },
})

export const projectListRoutes = list.addChildren([index, create, edit])
