import { loginQuery } from '../auth/schemas.ts'
import type { Operation } from '../../operation.ts'
import { PUBLIC_BODY_MAX } from '../../rules/limits.ts'
import { bytes, Name } from '../../schema.ts'

const tags = ['login']
const params = { silo_name: Name, provider_name: Name }

/** Signing in through an identity provider: the request and the response. */
export const samlLoginOperations = {
  login_saml_redirect: {
    method: 'GET',
    path: '/login/{silo_name}/saml/{provider_name}/redirect',
    tags,
    summary: 'Send a browser to a SAML identity provider',
    permission: 'public',
    unpublished: true,
    params,
    query: loginQuery,
    // The first call creates the secret from which the request IDs derive.
    transaction: 'own',
    evenIfFull: true,
    success: { status: 302 },
  },
  login_saml: {
    method: 'POST',
    path: '/login/{silo_name}/saml/{provider_name}',
    tags,
    summary: 'Sign in with the response of a SAML identity provider',
    permission: 'public',
    params,
    // The provider's form post, which the contract describes as bytes.
    body: bytes,
    bodyType: 'application/octet-stream',
    anyContentType: true,
    maxBody: PUBLIC_BODY_MAX,
    transaction: 'own',
    evenIfFull: true,
    audited: { kind: 'silo_user' },
    success: { status: 303 },
  },
} as const satisfies Record<string, Operation>
