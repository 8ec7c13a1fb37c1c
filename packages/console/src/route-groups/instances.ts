/** The list of instances, which most visits begin with. */
import { instanceListRoutes } from '../compute/instances/instance-route.ts'

export const routes = [instanceListRoutes] as const
