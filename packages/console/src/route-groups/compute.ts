/** Pages of what creates, starts and places instances. */
import { scheduleListRoutes, scheduleRoutes } from '../compute/schedules/routes.ts'
import { templateListRoutes, templateRoutes } from '../compute/instance-templates/routes.ts'
import { affinityListRoutes, affinityGroupRoutes } from '../compute/affinity/routes.ts'

export const routes = [
  scheduleListRoutes,
  scheduleRoutes,
  templateListRoutes,
  templateRoutes,
  affinityListRoutes,
  affinityGroupRoutes,
] as const
