import { createRoute } from '@tanstack/react-router'
import { Undo2 } from 'lucide-react'
import { optional, prefetch } from '../../data/api.ts'
import { searchedRoute } from '../../data/list-search.ts'
import { prefetchList } from '../../data/lists.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { deletedListDefinition, deletionPolicyQuery } from './queries.ts'

/** The page of a project with its deleted resources. */
export const deletedResourcesRoute = createRoute({
  getParentRoute: () => projectRoute,
  path: '/deleted',
  component: lazyPage(() => import('./deleted-page.tsx'), 'DeletedPage'),
  ...searchedRoute(deletedListDefinition),
  loader: async ({ params: { project }, ...visit }) => {
    // The list needs no policy; its empty state says whether anything is kept.
    await prefetch(optional(deletionPolicyQuery))
    return prefetchList(deletedListDefinition, { project }, visit)
  },
  staticData: {
    crumb: 'Recently Deleted',
    needs: 'deletedResources',
    nav: { group: 'maintain', icon: Undo2 },
  },
})
