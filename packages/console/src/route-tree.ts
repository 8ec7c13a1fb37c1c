import {
  homeRoute,
  projectHomeRoute,
  projectRoute,
  projectsCrumbRoute,
  rootRoute,
  settingsHomeRoute,
  settingsRoute,
  shellRoute,
  siloRoute,
  systemRoute,
} from './page/parent-routes.ts'
import { routes as compute } from './route-groups/compute.ts'
import { routes as instance } from './route-groups/instance.ts'
import { routes as instances } from './route-groups/instances.ts'
import { routes as networking } from './route-groups/networking.ts'
import { routes as project } from './route-groups/project.ts'
import { routes as settings } from './route-groups/settings.ts'
import { routes as signedOut } from './route-groups/signed-out.ts'
import { routes as silo } from './route-groups/silo.ts'
import { routes as storage } from './route-groups/storage.ts'
import { routes as systemNetworking } from './route-groups/system-networking.ts'
import { routes as system } from './route-groups/system.ts'

/**
 * All pages of the console, for types and the build; the console itself loads them in groups
 * (`route-groups.ts`). Their order is the sidebar's.
 */
export const routeTree = rootRoute.addChildren([
  homeRoute,
  ...signedOut,
  shellRoute.addChildren([
    siloRoute.addChildren([...silo]),
    systemRoute.addChildren([...system, ...systemNetworking]),
    settingsRoute.addChildren([settingsHomeRoute, ...settings]),
    projectsCrumbRoute.addChildren([
      projectRoute.addChildren([
        projectHomeRoute,
        ...instances,
        ...instance,
        ...storage,
        ...compute,
        ...networking,
        ...project,
      ]),
    ]),
  ]),
])
