import type { tables } from '@steading/api'
import {
  SIGN_IN_FREE_FAILURES_OF_ADDRESS,
  samlMessages,
  tooManySignInsMessage,
} from '@steading/api/rules'
import type { Context, Handlers } from '../../kernel/context.ts'
import type { Db } from '../../kernel/db/database.ts'
import { fail } from '../../kernel/errors.ts'
import { type Row, rowsOf } from '../../kernel/kinds.ts'
import { SamlError, type SamlSignIn } from '../../kernel/ports/saml.ts'
import { writingIn } from '../../kernel/work.ts'
import { samlSignInOf } from '../identity-providers/saml.ts'
import { requireTurnOfNetworks } from '../auth/networks.ts'
import { sessionCookie, signIn, siloCookie } from '../sessions/sessions.ts'
import { type Assertion, checkAssertion, checkIssuer, checkResponse } from './assertion.ts'
import { readForm, wayOn } from './form.ts'
import { provision } from './provision.ts'
import { requestEnd, requestUrl } from './requests.ts'
import { spend } from './spent.ts'

type Provider = Row<'saml_identity_provider'>

/** @throws ApiError 404 */
async function providerOf(
  db: Db,
  { silo_name, provider_name }: Context<'login_saml'>['params'],
): Promise<{ silo: Row<'silo'>; provider: Provider }> {
  const silo = await rowsOf(db, 'silo').selectAll().where('name', '=', silo_name).executeTakeFirst()
  if (!silo) throw fail.notFoundByName('silo', silo_name)
  const provider = await rowsOf(db, 'saml_identity_provider')
    .selectAll()
    .where('silo_id', '=', silo.id)
    .where('name', '=', provider_name)
    .executeTakeFirst()
  if (!provider) throw fail.notFoundByName('saml-identity-provider', provider_name)
  return { silo, provider }
}

/**
 * What the provider says of the user.
 * @throws ApiError 400
 */
async function assertionOf(
  toolkit: SamlSignIn,
  provider: Provider,
  xml: string,
  now: Date,
): Promise<Assertion> {
  try {
    const response = await toolkit.readResponse(xml)
    checkIssuer(response, provider)
    checkResponse(response, provider)
    const signed = await response.assertion(JSON.parse(provider.idp_certificates) as string[])
    return checkAssertion(signed, response, provider, now)
  } catch (error) {
    throw error instanceof SamlError ? fail.invalidRequest(error.message) : error
  }
}

/**
 * Uses up an assertion and the request that it answers.
 * @throws ApiError 400 if either was used before, or the request is none of ours
 */
async function spendBoth(
  db: Db,
  provider: Provider,
  { id, inResponseTo, expires }: Assertion,
  now: Date,
): Promise<void> {
  const refuse = (reason: string) => fail.invalidRequest(samlMessages.extract(reason))
  if (inResponseTo !== undefined) {
    const end = await requestEnd(db, provider, inResponseTo)
    if (!end) throw refuse('it answers a request that was not made here')
    if (end <= now) throw refuse('it answers a request that has expired')
    if (!(await spend(db, `request ${inResponseTo}`, end))) {
      throw refuse('it answers a request that has been answered')
    }
  }
  if (!(await spend(db, `assertion ${provider.id} ${id}`, expires))) {
    throw refuse('it has been used before')
  }
}

export const samlLoginHandlers: Handlers<typeof tables.samlLoginOperations> = {
  async login_saml_redirect({ db, services, params, query, now }) {
    const toolkit = samlSignInOf(services)
    const { provider } = await providerOf(db, params)
    return { location: await requestUrl(db, toolkit, provider, query.redirect_uri, now) }
  },

  async login_saml(ctx) {
    const { services, http, trail, now } = ctx
    const { throttle, database, settings, native } = services
    const toolkit = samlSignInOf(services)
    const { silo, provider } = await providerOf(ctx.db, ctx.params)
    trail.siloId = silo.id
    const refund = requireTurnOfNetworks(
      throttle,
      'address',
      http.clientAddress,
      SIGN_IN_FREE_FAILURES_OF_ADDRESS,
      tooManySignInsMessage,
    )
    const { response, relayState } = readForm(native, ctx.body as unknown as Uint8Array)
    const assertion = await assertionOf(toolkit, provider, response, now)
    const token = await database.transaction(async (db) => {
      await spendBoth(db, provider, assertion, now)
      const writing = writingIn(db, now, undefined, trail)
      const user = await provision(writing, trail, silo, assertion)
      trail.author = { userId: user.id, displayName: user.display_name, siloId: silo.id }
      return signIn(writing, user.id, { ...http, expires: assertion.sessionEnds })
    })
    refund()
    http.responseHeaders.append(
      'set-cookie',
      sessionCookie(http.request, token, settings.sessionAbsoluteMs),
    )
    http.responseHeaders.append('set-cookie', siloCookie(http.request, silo.name))
    return { location: wayOn(native, relayState) }
  },
}
