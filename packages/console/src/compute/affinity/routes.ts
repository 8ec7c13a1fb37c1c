import { createRoute } from '@tanstack/react-router'
import { Group } from 'lucide-react'
import { prefetch, prefetchInBackground } from '../../data/api.ts'
import { projectInstancesQuery } from '../instances/queries.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { listRoutes, panelRoutes } from '../../page/routes.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { type GroupKind, groupParameters, groupPath } from './group-kinds.ts'
import { groupNoun } from './group-labels.ts'
import {
  groupListDefinition,
  type GroupRow,
  kindOfGroup,
  groupQuery,
  membersQuery,
} from './queries.ts'

const { list, index, trail } = listRoutes(projectRoute, 'affinity', '/affinity', {
  list: groupListDefinition,
  crumb: 'Affinity Groups',
  nav: { group: 'compute', icon: Group, shortcut: 'goAffinity' },
  page: lazyPage(() => import('./affinity-page.tsx'), 'AffinityPage'),
  load: async ({ project }, rows) => {
    const uncounted = (await rows).filter(({ memberCount }: GroupRow) => memberCount === undefined)
    prefetchInBackground(
      ...uncounted.map((group) =>
        membersQuery({ kind: kindOfGroup(group), project, group: group.name }),
      ),
    )
  },
})

export const affinityListRoutes = list.addChildren({
  index,
  ...panelRoutes(list, {
    '/affinity-new': [
      'New affinity group',
      lazyPage(() => import('./group-forms.tsx'), 'GroupCreateForm'),
    ],
  }),
})

type Params = Record<string, string>

/** The route of a group's page, for one kind. */
function pageOf(kind: GroupKind) {
  const groupOf = (params: Params) => ({
    kind,
    project: params.project!,
    group: params[groupParameters[kind]]!,
  })
  return {
    component: lazyPage(() => import('./group-page.tsx'), 'AffinityGroupPage'),
    loader: ({ params }: { params: Params }) => {
      const group = groupOf(params)
      return prefetch(groupQuery(group), membersQuery(group), projectInstancesQuery(group.project))
    },
    staticData: {
      crumb: (params: Params) => params[groupParameters[kind]]!,
      crumbTo: (params: Params) => groupPath(groupOf(params)),
    },
  }
}

const formOf = (kind: GroupKind) => ({
  component: lazyPage(() => import('./group-forms.tsx'), 'GroupEditForm'),
  staticData: { crumb: `Edit ${groupNoun(kind)}`, titleOnly: true },
})

const apart = createRoute({
  getParentRoute: () => trail,
  path: '/affinity/$antiAffinityGroup',
  ...pageOf('anti_affinity_group'),
})
const apartIndex = createRoute({ getParentRoute: () => apart, path: '/' })
const apartEdit = createRoute({
  getParentRoute: () => apart,
  path: '/edit',
  ...formOf('anti_affinity_group'),
})

const together = createRoute({
  getParentRoute: () => trail,
  path: '/affinity-groups/$affinityGroup',
  ...pageOf('affinity_group'),
})
const togetherIndex = createRoute({ getParentRoute: () => together, path: '/' })
const togetherEdit = createRoute({
  getParentRoute: () => together,
  path: '/edit',
  ...formOf('affinity_group'),
})

export const affinityGroupRoutes = trail.addChildren([
  apart.addChildren([apartIndex, apartEdit]),
  together.addChildren([togetherIndex, togetherEdit]),
])
