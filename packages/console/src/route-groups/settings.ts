/** Pages of the user’s own settings. */
import { profileRoute, signInSecurityRoute } from '../identity/profile/routes.ts'
import { notificationsRoute } from '../observability/notifications/routes.ts'
import { sshKeyRoutes } from '../identity/ssh-keys/routes.ts'
import { accessTokensRoute, commandLineRoute } from '../identity/access-tokens/routes.ts'
import { sessionsRoute } from '../identity/sessions/routes.ts'

export const routes = [
  profileRoute,
  notificationsRoute,
  sshKeyRoutes,
  accessTokensRoute,
  signInSecurityRoute,
  sessionsRoute,
  commandLineRoute,
] as const
