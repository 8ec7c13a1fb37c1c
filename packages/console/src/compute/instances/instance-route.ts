import { createRoute } from '@tanstack/react-router'
import { prefetch } from '../../data/api.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { instanceQuery } from './queries.ts'

/** Where the trail of a page about instances leads; of the parameters of a route. */
export const instancesPath = ({ project }: Record<string, string>): string =>
  `/projects/${project}/instances`

/** The page that creates an instance. */
export const instanceCreatePath = (project: string): string =>
  `/projects/${encodeURIComponent(project)}/instances-new`

/** The pages of one instance are not drawn over the list, but their trail leads to it. */
export const instancesCrumbRoute = createRoute({
  getParentRoute: () => projectRoute,
  id: 'instances-crumb',
  staticData: { crumb: 'Instances', crumbTo: instancesPath },
})

/** The parent of everything about one instance: its page with the tabs, its serial console. */
export const instanceRoute = createRoute({
  getParentRoute: () => instancesCrumbRoute,
  path: '/instances/$instance',
  loader: ({ params }) => prefetch(instanceQuery(params)),
  staticData: {
    crumb: ({ instance }) => instance!,
    crumbTo: ({ project, instance }) => `/projects/${project}/instances/${instance}/storage`,
  },
})
