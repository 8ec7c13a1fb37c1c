/** Pages of disks and their copies. */
import { diskListRoutes } from '../storage/disks/routes.ts'
import { snapshotListRoutes } from '../storage/snapshots/routes.ts'
import { projectImageRoutes } from '../storage/images/routes.ts'

export const routes = [diskListRoutes, snapshotListRoutes, projectImageRoutes] as const
