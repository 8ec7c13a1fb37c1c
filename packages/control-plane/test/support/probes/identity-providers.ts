import { bare, service } from '../saml/keys.ts'
import { identityProviderBody } from '../saml/provider.ts'
import type { Probes } from './probe.ts'
import { fresh, server } from './world.ts'

const query = { silo: 'main' }

/**
 * A provider of the callers' silo. Its row is inserted directly, because the silo uses passwords.
 */
async function aboutOne() {
  const { idp_metadata_source: _, ...values } = identityProviderBody(fresh())
  const time = new Date().toISOString()
  await server.db
    .insertInto('saml_identity_provider')
    .values({
      ...values,
      name_key: values.name,
      id: crypto.randomUUID(),
      silo_id: server.siloId,
      time_created: time,
      time_modified: time,
      time_deleted: null,
      public_cert: bare(service.certificate),
      private_key: bare(service.key),
      idp_initiated: 0,
      idp_metadata: '',
      sso_url: 'https://idp.example/sso',
      idp_certificates: '[]',
    })
    .execute()
  return values.name
}

export const identityProvidersProbes = {
  silo_identity_provider_list: { args: () => ({ query }) },
  silo_identity_provider_search: { args: () => ({ query }) },
  saml_identity_provider_delete: {
    args: async () => ({ params: { provider: await aboutOne() }, query }),
  },
  // Its users sign in with passwords.
  saml_identity_provider_create: {
    args: () => ({ query, body: identityProviderBody(fresh()) }),
    passes: 400,
  },
  saml_identity_provider_view: {
    args: async () => ({ params: { provider: await aboutOne() }, query }),
  },
  saml_sign_in_settings_view: {
    args: async () => ({ params: { provider: await aboutOne() }, query }),
  },
  saml_sign_in_settings_update: {
    args: async () => ({
      params: { provider: await aboutOne() },
      query,
      body: { idp_initiated: true },
    }),
  },
  saml_service_metadata: {
    args: async () => ({ params: { provider: await aboutOne() }, query }),
  },
  login_saml_redirect: {
    args: async () => ({ params: { silo_name: 'main', provider_name: await aboutOne() } }),
  },
  // An empty answer.
  login_saml: {
    args: async () => ({
      params: { silo_name: 'main', provider_name: await aboutOne() },
      body: 'SAMLResponse=' as never,
    }),
    passes: 400,
  },
} satisfies Partial<Probes>
