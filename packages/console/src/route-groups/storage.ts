/** Pages of disks and their copies. */
import { diskListRoutes, diskPageRoutes } from '../storage/disks/routes.ts'
import { snapshotListRoutes } from '../storage/snapshots/routes.ts'
import { projectImageRoutes } from '../storage/images/routes.ts'

export const routes = [
  diskListRoutes,
  diskPageRoutes,
  snapshotListRoutes,
  projectImageRoutes,
] as const
