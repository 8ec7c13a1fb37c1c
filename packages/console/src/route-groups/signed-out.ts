/** Pages outside of the shell. */
import {
  loginRoute,
  oidcLoginRoute,
  oidcStepRoute,
  samlLoginRoute,
  linkRoute,
  siloChoiceRoute,
  signedInRoute,
} from '../identity/login/routes.ts'
import { deviceVerifyRoute, deviceSuccessRoute } from '../identity/device/routes.ts'
import { mailLinkRoute } from '../observability/notifications/routes.ts'

export const routes = [
  loginRoute,
  oidcLoginRoute,
  oidcStepRoute,
  samlLoginRoute,
  linkRoute,
  siloChoiceRoute,
  signedInRoute,
  deviceVerifyRoute,
  deviceSuccessRoute,
  mailLinkRoute,
] as const
