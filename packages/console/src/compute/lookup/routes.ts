import { createRoute, notFound, redirect } from '@tanstack/react-router'
import { call } from '../../data/api.ts'
import { siloRoute } from '../../page/parent-routes.ts'

/** A 404 is an expected answer here. */
const answered = { expected: [404] }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/**
 * Redirects from an instance ID to the instance's page in its project. A name is unique only within
 * a project, so it is not found.
 */
async function findInstance({ params }: { params: { instance: string } }): Promise<never> {
  if (!UUID.test(params.instance)) throw notFound()
  const found = await call('instanceView', { path: params }, answered)
  const inside = { path: { project: found.projectId } }
  const { name: project } = await call('projectView', inside, answered)
  throw redirect({
    to: '/projects/$project/instances/$instance/storage',
    params: { project, instance: found.name },
    replace: true,
  })
}

const options = {
  getParentRoute: () => siloRoute,
  loader: findInstance,
  staticData: { crumb: 'Instance' },
}

export const instanceLookupRoute = createRoute({ ...options, path: '/lookup/instances/$instance' })
export const shortInstanceLookupRoute = createRoute({ ...options, path: '/lookup/i/$instance' })
