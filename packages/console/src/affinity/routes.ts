import { createRoute } from '@tanstack/react-router'
import { prefetch, prefetchInBackground } from '../data/api.ts'
import { searchedRoute } from '../data/list-search.ts'
import { prefetchList } from '../data/lists.ts'
import { projectInstancesQuery } from '../instances/queries.ts'
import { lazyPage } from '../page/lazy-page.ts'
import { projectRoute } from '../shell/routes.ts'
import { groupListDefinition, type GroupRow } from './list.ts'
import { groupQuery, membersQuery } from './queries.ts'

const crumb = {
  crumb: 'Affinity Groups',
  crumbTo: ({ project }: Record<string, string>) => `/projects/${project}/affinity`,
}

const list = createRoute({
  getParentRoute: () => projectRoute,
  id: 'affinity',
  component: lazyPage(() => import('./affinity-page.tsx'), 'AffinityPage'),
  ...searchedRoute(groupListDefinition),
  loader: async ({ params: { project }, ...visit }) => {
    const groups: GroupRow[] = await prefetchList(groupListDefinition, { project }, visit)
    const uncounted = groups.filter(({ memberCount }) => memberCount === undefined)
    prefetchInBackground(
      ...uncounted.map(({ name }) => membersQuery({ project, antiAffinityGroup: name })),
    )
  },
  staticData: crumb,
})

const index = createRoute({ getParentRoute: () => list, path: '/affinity' })

const create = createRoute({
  getParentRoute: () => list,
  path: '/affinity-new',
  component: lazyPage(() => import('./group-forms.tsx'), 'GroupCreateForm'),
  staticData: { crumb: 'New anti-affinity group', titleOnly: true },
})

export const affinityListRoutes = list.addChildren([index, create])

/** The page of a group is not drawn over the list, but its trail leads to it. */
const trail = createRoute({
  getParentRoute: () => projectRoute,
  id: 'affinity-crumb',
  staticData: crumb,
})

const group = createRoute({
  getParentRoute: () => trail,
  path: '/affinity/$antiAffinityGroup',
  component: lazyPage(() => import('./group-page.tsx'), 'GroupPage'),
  loader: ({ params }) =>
    prefetch(groupQuery(params), membersQuery(params), projectInstancesQuery(params.project)),
  staticData: {
    crumb: ({ antiAffinityGroup }) => antiAffinityGroup!,
    crumbTo: ({ project, antiAffinityGroup }) =>
      `/projects/${project}/affinity/${antiAffinityGroup}`,
  },
})

const groupIndex = createRoute({ getParentRoute: () => group, path: '/' })

const edit = createRoute({
  getParentRoute: () => group,
  path: '/edit',
  component: lazyPage(() => import('./group-forms.tsx'), 'GroupEditForm'),
  staticData: { crumb: 'Edit anti-affinity group', titleOnly: true },
})

export const affinityGroupRoutes = trail.addChildren([group.addChildren([groupIndex, edit])])
