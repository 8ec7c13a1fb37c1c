import {
  projectRoute,
  rootRoute,
  settingsRoute,
  shellRoute,
  siloRoute,
  systemRoute,
} from '../page/parent-routes.ts'
import { ErrorPage, NotFoundPage } from './error-page.tsx'
import { ProjectError, ProjectFrame, SettingsFrame, SiloFrame, SystemFrame } from './frames.tsx'
import { Root } from './root.tsx'

/** Gives the parents of all pages the frames of the shell and its error pages. */
export function drawFrames(): void {
  rootRoute.update({
    component: Root,
    errorComponent: ErrorPage,
    notFoundComponent: NotFoundPage,
  })
  shellRoute.update({ errorComponent: ErrorPage })
  siloRoute.update({ component: SiloFrame })
  systemRoute.update({ component: SystemFrame })
  settingsRoute.update({ component: SettingsFrame })
  projectRoute.update({ component: ProjectFrame, errorComponent: ProjectError })
}
