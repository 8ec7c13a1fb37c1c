import { plain, type Probes } from './probe.ts'
import { CLIENT_ID, oidcProviderBody } from '../oidc/provider.ts'
import { fresh, server } from './world.ts'

const query = { silo: 'main' }
const ISSUER = 'https://127.0.0.1'

/**
 * A provider of the callers' silo. Its row is inserted directly, because the silo uses passwords.
 */
async function aboutOne() {
  const { scopes, ...values } = oidcProviderBody(server.url, 'main', fresh(), ISSUER)
  const time = new Date().toISOString()
  await server.db
    .insertInto('oidc_identity_provider')
    .values({
      ...values,
      name_key: values.name,
      id: crypto.randomUUID(),
      silo_id: server.siloId,
      time_created: time,
      time_modified: time,
      time_deleted: null,
      scopes: JSON.stringify(scopes),
    })
    .execute()
  return values
}
const params = async () => ({ provider: (await aboutOne()).name })
const login = async () => ({ silo_name: 'main', provider_name: (await aboutOne()).name })

export const oidcProbes = {
  oidc_identity_provider_search: { args: () => ({ query }) },
  // Its users sign in with passwords.
  oidc_identity_provider_create: {
    args: () => ({ query, body: oidcProviderBody(server.url, 'main', fresh(), ISSUER) }),
    passes: 400,
  },
  oidc_identity_provider_view: { args: async () => ({ params: await params(), query }) },
  oidc_identity_provider_update: {
    args: async () => {
      const { name, issuer: _, ...body } = await aboutOne()
      return { params: { provider: name }, query, body: { ...body, scopes: ['openid'] } }
    },
  },
  oidc_identity_provider_delete: { args: async () => ({ params: await params(), query }) },
  // The server may not call its host.
  login_oidc_redirect: { args: async () => ({ params: await login() }), passes: 503 },
  login_oidc: { args: async () => ({ params: await login(), query: {} }), passes: 400 },
  sign_out: plain,
  signed_out_oidc: { args: async () => ({ params: await login(), query: {} }) },
  logout_oidc: {
    args: async () => ({ params: await login(), body: { logout_token: CLIENT_ID } }),
    passes: 503,
  },
} satisfies Partial<Probes>
