import { anything, longText, Name, record, string } from '../../schema.ts'
import { loginQuery } from '../auth/schemas.ts'
import type { Operation } from '../../operation.ts'
import { PUBLIC_BODY_MAX } from '../../rules/limits.ts'

/** The end of a session. */
const SignedOut = record('SignedOut', {
  /**
   * Address at the OpenID Connect provider that ends the session there and leads back; null if the
   * session has no provider, if the provider is not set to it, publishes no such address, or cannot
   * be reached.
   */
  provider_url: string.nullable(),
})

const tags = ['login']
const params = { silo_name: Name, provider_name: Name }

/** Signing in through an OpenID Connect provider, and the logout that the provider orders. */
export const oidcLoginOperations = {
  login_oidc_redirect: {
    method: 'GET',
    path: '/login/{silo_name}/oidc/{provider_name}/redirect',
    tags,
    summary: 'Send a browser to an OpenID Connect provider',
    permission: 'public',
    unpublished: true,
    params,
    query: loginQuery,
    // The first call creates the secret from which the requests derive.
    transaction: 'own',
    evenIfFull: true,
    success: { status: 302 },
  },
  login_oidc: {
    method: 'GET',
    path: '/login/{silo_name}/oidc/{provider_name}/callback',
    tags,
    summary: 'Sign in with the answer of an OpenID Connect provider',
    permission: 'public',
    unpublished: true,
    params,
    query: { state: longText.optional() },
    transaction: 'own',
    evenIfFull: true,
    audited: { kind: 'silo_user' },
    success: { status: 303 },
  },
  logout_oidc: {
    method: 'POST',
    path: '/login/{silo_name}/oidc/{provider_name}/logout',
    tags,
    summary: 'End sessions by a logout token of an OpenID Connect provider',
    permission: 'public',
    unpublished: true,
    params,
    body: record('OidcBackChannelLogout', { logout_token: longText }),
    bodyType: 'application/x-www-form-urlencoded',
    maxBody: PUBLIC_BODY_MAX,
    transaction: 'own',
    evenIfFull: true,
    audited: { kind: 'silo_user' },
    // Errors have the shape of RFC 6749, section 5.2.
    success: { status: 200, schema: anything, freeForm: true },
  },
  /**
   * The session has ended before the provider is asked for anything, so a provider that cannot be
   * reached keeps nobody signed in here.
   */
  sign_out: {
    method: 'POST',
    path: '/x/v1/logout',
    tags: ['extensions'],
    summary: 'End the session of the cookie, and say where to sign out of its provider',
    permission: 'public',
    transaction: 'own',
    evenIfFull: true,
    audited: false,
    success: { status: 200, schema: SignedOut },
  },
  /** Where a provider sends a browser after signing it out (RP-Initiated Logout 1.0). */
  signed_out_oidc: {
    method: 'GET',
    path: '/login/{silo_name}/oidc/{provider_name}/signed-out',
    tags,
    summary: 'Lead a browser that has signed out at its provider to the sign-in page',
    permission: 'public',
    unpublished: true,
    params,
    query: { state: longText.optional() },
    evenIfFull: true,
    success: { status: 303 },
  },
} as const satisfies Record<string, Operation>
