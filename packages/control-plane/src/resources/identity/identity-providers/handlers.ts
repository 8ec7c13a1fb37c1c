import type { tables, Wire } from '@steading/api'
import { identityProviderMessages as messages } from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { listPage } from '../../../kernel/paging.ts'
import { Base64Error } from '../../../kernel/ports/base64.ts'
import { type ProviderMetadata, SamlError } from '../../../kernel/ports/saml.ts'
import { type Work, writingIn } from '../../../kernel/work.ts'
import { insertNamed } from '../../../kernel/named-rows.ts'
import { identityOf } from '../../../kernel/identity.ts'
import { each } from '../../../kernel/search/search.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { adoptIfOnly } from '../user-identities/identities.ts'
import { deleteSamlProvider, signingCertificates, toWireProvider } from './kind.ts'
import { samlOf } from './saml.ts'
import { serviceMetadata } from './service-metadata.ts'

type Provider = Row<'saml_identity_provider'>
type Source = Wire.IdpMetadataSource

const toWire = (row: Provider): Wire.SamlIdentityProvider => ({
  ...identityOf(row),
  idp_entity_id: row.idp_entity_id,
  sp_client_id: row.sp_client_id,
  acs_url: row.acs_url,
  slo_url: row.slo_url,
  technical_contact_email: row.technical_contact_email,
  public_cert: row.public_cert,
  group_attribute_name: row.group_attribute_name,
})

const settingsOf = ({ idp_initiated, commas_in_groups }: Provider): Wire.SamlSignInSettings => ({
  idp_initiated: idp_initiated === 1,
  commas_in_groups: commas_in_groups === 1,
})

/** Turns a refusal by the host into an error of the contract. */
const refusing = async <T>(
  refusal: (message: string) => Error,
  work: () => T | Promise<T>,
): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw error instanceof SamlError ? refusal(error.message) : error
  }
}

/** The document in a base64 field of a request. */
function decoded({ native }: Work['services'], data: string): string {
  const unsupported = (reason: string) => fail.invalidValue('data', messages.base64(reason))
  try {
    // Base64 files often contain line breaks.
    const bytes = native.decodeBase64(data.replaceAll(/[\r\n]/g, ''))
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof Base64Error) throw unsupported(error.message)
    if (error instanceof TypeError) throw unsupported('it is not UTF-8')
    throw error
  }
}

async function readSource(
  { services }: Work,
  source: Source,
): Promise<ProviderMetadata & { document: string }> {
  const saml = samlOf(services)
  const document =
    source.type === 'url'
      ? await refusing(
          (message) => fail.invalidValue('url', message),
          () => saml.fetchMetadata(source.url),
        )
      : decoded(services, source.data)
  const metadata = await refusing(fail.invalidRequest, () => saml.readMetadata(document))
  return { document, ...metadata }
}

/**
 * The silo for a new provider.
 * @throws ApiError 403 or 404, or 400 if its users sign in with passwords
 */
async function siloFor(
  context: LookupContext<'silo' | 'saml_identity_provider'>,
  selector: string,
): Promise<Row<'silo'>> {
  const silo = await lookup(context, 'silo', selector)
  authorize(context, 'saml_identity_provider', { siloId: silo.id })
  if (silo.identity_mode === 'local_only') throw fail.invalidRequest(messages.localOnly)
  return silo
}

const providers = usualHandlers('saml_identity_provider', each(toWire), 'provider')

export const identityProviderHandlers: Handlers<typeof tables.identityProviderOperations> = {
  silo_identity_provider_search: providers.search,
  saml_identity_provider_view: providers.view,
  saml_identity_provider_delete: providers.delete(deleteSamlProvider),

  async silo_identity_provider_list(ctx) {
    const id = await providers.listedIn(ctx)
    const rows = rowsOf(ctx.db, 'saml_identity_provider').selectAll().where('silo_id', '=', id)
    return listPage(ctx.page, rows, { name: 'name', id: 'id' }, toWireProvider)
  },

  async saml_identity_provider_create(ctx) {
    const { body, services, now, actor, requiredActions, audit } = ctx
    const { idp_metadata_source, signing_keypair: pair, ...values } = body
    // Only callers who may create providers may make the server fetch something.
    await siloFor(ctx, ctx.query.silo)
    const saml = samlOf(services)
    if (pair) {
      const { public_cert: publicCert, private_key: privateKey } = pair
      await refusing(
        (message) => fail.badRequest(`unable to parse JSON body: signing_keypair: ${message}`),
        () => saml.requireKeyPair({ publicCert, privateKey }),
      )
    }
    const { document, ssoUrl, certificates } = await readSource(ctx, idp_metadata_source)
    return services.database.transaction(async (db) => {
      // The silo may have been deleted meanwhile.
      const silo = await siloFor({ db, actor, requiredActions, audit }, ctx.query.silo)
      const writing = writingIn(db, now, actor, audit)
      const row = await insertNamed(writing, 'saml_identity_provider', body, {
        ...values,
        group_attribute_name: values.group_attribute_name || null,
        silo_id: silo.id,
        public_cert: pair?.public_cert ?? null,
        private_key: pair?.private_key ?? null,
        idp_initiated: 0,
        commas_in_groups: 0,
        last_sign_in: null,
        idp_metadata: document,
        sso_url: ssoUrl,
        idp_certificates: signingCertificates.write(certificates),
      })
      await adoptIfOnly(writing, row)
      return toWire(row)
    })
  },

  saml_sign_in_settings_view: async (ctx) => settingsOf(await providers.find(ctx)),

  async saml_sign_in_settings_update(ctx) {
    const { db, body, now } = ctx
    const row = await providers.find(ctx)
    const values = {
      idp_initiated: body.idp_initiated ? 1 : 0,
      commas_in_groups: (body.commas_in_groups ?? row.commas_in_groups === 1) ? 1 : 0,
      time_modified: now.toISOString(),
    } as const
    await changeRow(db, 'saml_identity_provider', row.id, values)
    await ctx.emit('saml_identity_provider', 'update', row)
    return settingsOf({ ...row, ...values })
  },

  async saml_service_metadata(ctx) {
    const row = await providers.find(ctx)
    ctx.http.responseHeaders.set(
      'content-disposition',
      `attachment; filename="${row.name}-metadata.xml"`,
    )
    return new TextEncoder().encode(serviceMetadata(row))
  },
}
