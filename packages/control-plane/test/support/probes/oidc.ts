import { plain, type Probes } from './probe.ts'
import { CLIENT_ID, oidcProviderBody } from '../oidc/provider.ts'
import { fresh, ids, server } from './world.ts'

const query = { silo: 'main' }
const ISSUER = 'https://127.0.0.1'

/**
 * A provider of the callers' silo. Its row is inserted directly, because the silo uses passwords.
 */
async function aboutOne() {
  const { scopes, ...values } = oidcProviderBody(server.url, 'main', fresh(), ISSUER)
  const time = new Date().toISOString()
  const id = crypto.randomUUID()
  await server.db
    .insertInto('oidc_identity_provider')
    .values({
      ...values,
      name_key: values.name,
      id,
      silo_id: server.siloId,
      time_created: time,
      time_modified: time,
      time_deleted: null,
      scopes: JSON.stringify(scopes),
    })
    .execute()
  return { id, values }
}
/** A provider, and its name for the user. */
const ofUser = async () => {
  const { id: provider } = await aboutOne()
  return { user: { user_id: ids.user }, body: { provider, name: fresh() } }
}
const linked = async () => {
  const { body } = await ofUser()
  // Unlinking ends the user's sessions.
  const user = { user_id: (await server.createUser(fresh())).id }
  await server.admin.call('user_identity_link', { params: user, body })
  return { params: { ...user, provider_id: body.provider } }
}
const params = async () => ({ provider: (await aboutOne()).values.name })
const login = async () => ({ silo_name: 'main', provider_name: (await aboutOne()).values.name })

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
      const { name, issuer: _, ...body } = (await aboutOne()).values
      return { params: { provider: name }, query, body: { ...body, scopes: ['openid'] } }
    },
  },
  oidc_identity_provider_delete: { args: async () => ({ params: await params(), query }) },
  user_identity_list: { args: () => ({ params: { user_id: ids.user } }) },
  user_identity_link: {
    args: async () => {
      const { user, body } = await ofUser()
      return { params: user, body }
    },
    about: ['silo_user', 'oidc_identity_provider'],
  },
  user_identity_unlink: { args: linked },
  identity_provider_last_sign_in: {
    args: async () => ({ params: { provider_id: (await aboutOne()).id } }),
    about: ['oidc_identity_provider'],
  },
  identity_provider_adopt_users: {
    args: async () => ({ params: { provider_id: (await aboutOne()).id } }),
    about: ['oidc_identity_provider', 'silo_user'],
  },
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
