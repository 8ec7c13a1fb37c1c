import { createRoute } from '@tanstack/react-router'
import { prefetch } from '../../data/api.ts'
import { projectRoute } from '../../page/parent-routes.ts'
import { instanceQuery } from './queries.ts'

/** The path of the list of instances, for breadcrumbs; takes route parameters. */
export const instancesPath = ({ project }: Record<string, string>): string =>
  `/projects/${project}/instances`

/** The pages of an instance do not render inside the list, but their breadcrumbs include it. */
export const instancesCrumbRoute = createRoute({
  getParentRoute: () => projectRoute,
  id: 'instances-crumb',
  staticData: { crumb: 'Instances', crumbTo: instancesPath },
})

/** The parent of the routes of one instance: its page with tabs, and its serial console. */
export const instanceRoute = createRoute({
  getParentRoute: () => instancesCrumbRoute,
  path: '/instances/$instance',
  loader: ({ params }) => prefetch(instanceQuery(params)),
  staticData: {
    crumb: ({ instance }) => instance!,
    crumbTo: ({ project, instance }) => `/projects/${project}/instances/${instance}/storage`,
  },
})
