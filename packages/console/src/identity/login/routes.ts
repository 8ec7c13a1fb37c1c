import { SILO_CHOICE_PATH, USER_LINK_PATH } from '@steading/api/rules'
import { createRoute } from '@tanstack/react-router'
import { prefetchForAMoment } from '../../data/api.ts'
import { signInPageQuery } from '../../data/sign-in-page.ts'
import { currentCapabilities } from '../../data/capabilities.ts'
import { lazyPage } from '../../page/lazy-page.ts'
import { SIGNED_IN_PATH } from '../session/other-tabs.ts'
import { rootRoute } from '../../page/parent-routes.ts'

const validateSearch = (search: Record<string, unknown>): { redirect_uri?: string } =>
  typeof search.redirect_uri === 'string' ? { redirect_uri: search.redirect_uri } : {}

/** Reads why the user was signed out before the page is drawn: a later notice moves the page. */
const readWhy = (silo: string) => prefetchForAMoment(signInPageQuery(silo))

export const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login/$silo/local',
  component: lazyPage(() => import('./local-login-page.tsx'), 'LocalLoginPage'),
  validateSearch,
  loader: ({ params }) => readWhy(params.silo),
})

export const samlLoginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/login/$silo/saml/$provider',
  component: lazyPage(() => import('./provider-login-page.tsx'), 'SamlLoginPage'),
  validateSearch,
  loader: ({ params }) => readWhy(params.silo),
})

const oidcLogin = {
  getParentRoute: () => rootRoute,
  component: lazyPage(() => import('./provider-login-page.tsx'), 'OidcLoginPage'),
  validateSearch,
}
export const oidcLoginRoute = createRoute({
  ...oidcLogin,
  path: '/login/$silo/oidc/$provider',
  loader: ({ params }) => readWhy(params.silo),
})

/** The host serves the page in place of a step that was refused. */
export const oidcStepRoute = createRoute({
  ...oidcLogin,
  path: '/login/$silo/oidc/$provider/$step',
})

/** Asks for the silo to sign in to; `silo` is a rejected name. */
export const siloChoiceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: SILO_CHOICE_PATH,
  component: lazyPage(() => import('./silo-choice-page.tsx'), 'SiloChoicePage'),
  validateSearch: (search: Record<string, unknown>): { redirect_uri?: string; silo?: string } => ({
    ...validateSearch(search),
    ...(search.silo === undefined ? {} : { silo: String(search.silo) }),
  }),
})

/** The link of an invitation or a forgotten password. Its secret is in the fragment. */
export const linkRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: USER_LINK_PATH,
  component: lazyPage(() => import('./link-page.tsx'), 'LinkPage'),
  // The rules of passwords.
  loader: currentCapabilities,
})

export const signedInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: SIGNED_IN_PATH,
  component: lazyPage(() => import('./signed-in-page.tsx'), 'SignedInPage'),
})
