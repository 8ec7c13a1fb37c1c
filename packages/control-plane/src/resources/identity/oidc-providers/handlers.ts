import type { tables, Wire } from '@steading/api'
import {
  issuerOf,
  issuerProblem,
  oidcMessages,
  redirectUriProblem,
  scopesProblem,
} from '@steading/api/rules'
import { authorize } from '../../../kernel/authz/authorize.ts'
import type { Handlers } from '../../../kernel/context.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, readLive } from '../../../kernel/kinds.ts'
import { type LookupContext, lookup } from '../../../kernel/lookup.ts'
import { insertNamed } from '../../../kernel/named-rows.ts'
import { writingIn } from '../../../kernel/work.ts'
import { each } from '../../../kernel/search/search.ts'
import { changeRow } from '../../../kernel/db/rows.ts'
import { usualHandlers } from '../../usual-handlers.ts'
import { adoptIfOnly } from '../user-identities/identities.ts'
import { oidcOf, refusing } from './client.ts'
import { deleteOidcProvider, requestedScopes, toWireOidcProvider } from './kind.ts'

type Provider = Row<'oidc_identity_provider'>

type Settings = Omit<
  Wire.OidcIdentityProviderUpdate,
  'client_secret' | 'sign_out_at_provider' | 'commas_in_groups'
>

/**
 * The columns of changeable settings.
 * @throws ApiError 400 for scopes without `openid`, or a redirect URI that leads elsewhere
 */
function columnsOf(settings: Settings, silo: string, provider: string) {
  const scopes = [...new Set(settings.scopes)]
  const wrongScopes = scopesProblem(scopes)
  if (wrongScopes) throw fail.invalidValue('scopes', wrongScopes)
  const wrongUri = redirectUriProblem(settings.redirect_uri, silo, provider)
  if (wrongUri) throw fail.invalidValue('redirect_uri', wrongUri)
  const { description, client_id, user_claim, display_name_claim, groups_claim, redirect_uri } =
    settings
  return {
    description,
    client_id,
    user_claim,
    display_name_claim,
    groups_claim,
    redirect_uri,
    scopes: requestedScopes.write(scopes),
  }
}

/**
 * The silo for a new provider.
 * @throws ApiError 403 or 404, or 400 if its users sign in with passwords
 */
async function siloFor(
  context: LookupContext<'silo' | 'oidc_identity_provider'>,
  selector: string,
): Promise<Row<'silo'>> {
  const silo = await lookup(context, 'silo', selector)
  authorize(context, 'oidc_identity_provider', { siloId: silo.id })
  if (silo.identity_mode === 'local_only') throw fail.invalidRequest(oidcMessages.localOnly)
  return silo
}

const providers = usualHandlers('oidc_identity_provider', each(toWireOidcProvider), 'provider')

export const oidcProviderHandlers: Handlers<typeof tables.oidcProviderOperations> = {
  oidc_identity_provider_search: providers.search,
  oidc_identity_provider_view: providers.view,
  oidc_identity_provider_delete: providers.delete(deleteOidcProvider),

  async oidc_identity_provider_create(ctx) {
    const { body, services, now, actor, requiredActions, audit } = ctx
    // Only callers who may create providers may make the server fetch something.
    const { name: siloName } = await siloFor(ctx, ctx.query.silo)
    const issuer = issuerOf(body.issuer)
    const wrongIssuer = issuerProblem(issuer)
    if (wrongIssuer) throw fail.invalidValue('issuer', wrongIssuer)
    const columns = columnsOf(body, siloName, body.name)
    await refusing(
      ({ message }) => fail.invalidValue('issuer', message),
      oidcOf(services).discover(issuer),
    )
    return services.database.transaction(async (db) => {
      // The silo may have been deleted meanwhile.
      const silo = await siloFor({ db, actor, requiredActions, audit }, ctx.query.silo)
      const writing = writingIn(db, now, actor, audit)
      const row = await insertNamed(writing, 'oidc_identity_provider', body, {
        ...columns,
        silo_id: silo.id,
        issuer,
        client_secret: body.client_secret,
        sign_out_at_provider: body.sign_out_at_provider ? 1 : 0,
        commas_in_groups: body.commas_in_groups ? 1 : 0,
        last_sign_in: null,
      })
      await adoptIfOnly(writing, row)
      return toWireOidcProvider(row)
    })
  },

  async oidc_identity_provider_update(ctx) {
    const { db, body, now } = ctx
    const row = await providers.find(ctx)
    const { name: siloName } = await readLive(db, 'silo', row.silo_id, 'name')
    const changed: Provider = {
      ...row,
      ...columnsOf(body, siloName, row.name),
      time_modified: now.toISOString(),
      client_secret: body.client_secret === undefined ? row.client_secret : body.client_secret,
      commas_in_groups: (body.commas_in_groups ?? row.commas_in_groups === 1) ? 1 : 0,
      sign_out_at_provider:
        body.sign_out_at_provider === undefined
          ? row.sign_out_at_provider
          : body.sign_out_at_provider
            ? 1
            : 0,
    }
    const { id, ...values } = changed
    await changeRow(db, 'oidc_identity_provider', id, values)
    await ctx.emit('oidc_identity_provider', 'update', changed)
    return toWireOidcProvider(changed)
  },
}
