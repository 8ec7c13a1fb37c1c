import type { tables } from '@steading/api'
import {
  SIGN_IN_FREE_FAILURES,
  SIGN_IN_FREE_FAILURES_OF_ADDRESS,
  samlMessages,
  tooManySignInsMessage,
} from '@steading/api/rules'
import type { Context, Handlers } from '../../../kernel/context.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import { type Row, rowsOf } from '../../../kernel/kinds.ts'
import { SamlError, type SamlResponse } from '../../../kernel/ports/saml.ts'
import { writingIn } from '../../../kernel/work.ts'
import { samlSignInOf } from '../identity-providers/saml.ts'
import { requireTurnOfNetworks } from '../auth/networks.ts'
import { requireTurn } from '../auth/throttle.ts'
import { sessionCookie, signIn, siloCookie } from '../sessions/sessions.ts'
import { type Assertion, checkAssertion, checkIssuer, checkResponse } from './assertion.ts'
import { readForm, pageAfterSignIn } from './form.ts'
import { provision } from './provision.ts'
import { hasMade, newRequest, requestCookie, requestEnd, requestUrl } from './requests.ts'
import { useOnce } from './use-once.ts'
import { signingCertificates } from '../identity-providers/table.ts'

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
  if (!provider) throw fail.notFoundByName('identity-provider', provider_name)
  return { silo, provider }
}

type Answering = Context<'login_saml'>

/**
 * Counts an answer as a failure until it has signed a user in. An answer to a request of this
 * browser counts for that request alone, so no number of others keeps it out.
 * @returns a function that refunds the attempt
 * @throws ApiError 429 if the browser has to wait
 */
async function countAnswer(
  { db, services, http }: Answering,
  { inResponseTo }: SamlResponse,
): Promise<() => void> {
  const { throttle } = services
  if (inResponseTo !== undefined && (await hasMade(db, http.request, inResponseTo))) {
    const key = `SAML request ${inResponseTo}`
    requireTurn(throttle, key, SIGN_IN_FREE_FAILURES, tooManySignInsMessage)
    return () => throttle.forgive(key)
  }
  return requireTurnOfNetworks(
    throttle,
    'SAML answers of',
    http.clientAddress,
    SIGN_IN_FREE_FAILURES_OF_ADDRESS,
    tooManySignInsMessage,
  )
}

/**
 * Assertion of the provider about the user. Only well-formed answers of the configured issuer count
 * as attempts, because any page open in the browser may post others.
 * @throws ApiError 400, or 429 if the browser has to wait
 */
async function assertionOf(
  ctx: Answering,
  provider: Provider,
  xml: string,
): Promise<{ assertion: Assertion; refund: () => void }> {
  try {
    const response = await samlSignInOf(ctx.services).readResponse(xml)
    checkIssuer(response, provider)
    const refund = await countAnswer(ctx, response)
    checkResponse(response, provider)
    const signed = await response.assertion(signingCertificates.read(provider.idp_certificates))
    return { assertion: checkAssertion(signed, response, provider, ctx.now), refund }
  } catch (error) {
    throw error instanceof SamlError ? fail.invalidRequest(error.message) : error
  }
}

/**
 * Spends an assertion and the request it answers.
 * @throws ApiError 400 if either was used before, or another browser made the request
 */
async function spendBoth(
  db: Db,
  browser: Request,
  provider: Provider,
  { id, inResponseTo, expires }: Assertion,
  now: Date,
): Promise<void> {
  const refuse = (reason: string) => fail.invalidRequest(samlMessages.extract(reason))
  if (inResponseTo === undefined) {
    if (provider.idp_initiated === 0) throw refuse(samlMessages.unasked)
  } else {
    const end = await requestEnd(db, provider, inResponseTo)
    if (!end) throw refuse('it answers a request that was not made here')
    if (!(await hasMade(db, browser, inResponseTo))) throw refuse(samlMessages.otherBrowser)
    if (end <= now) throw refuse('it answers a request that has expired')
    if (!(await useOnce(db, `request ${inResponseTo}`, end))) {
      throw refuse('it answers a request that has been answered')
    }
  }
  if (!(await useOnce(db, `assertion ${provider.id} ${id}`, expires))) {
    throw refuse('it has been used before')
  }
}

export const samlLoginHandlers: Handlers<typeof tables.samlLoginOperations> = {
  async login_saml_redirect({ db, services, http, params, query, now }) {
    const toolkit = samlSignInOf(services)
    const { provider } = await providerOf(db, params)
    const id = await newRequest(db, provider, now)
    http.responseHeaders.append('set-cookie', await requestCookie(db, http.request, provider, id))
    return { location: await requestUrl(toolkit, provider, id, query.redirect_uri, now) }
  },

  async login_saml(ctx) {
    const { services, http, trail, now } = ctx
    const { database, settings, native } = services
    samlSignInOf(services)
    const { silo, provider } = await providerOf(ctx.db, ctx.params)
    trail.siloId = silo.id
    const { response, relayState } = readForm(native, ctx.body as unknown as Uint8Array)
    const { assertion, refund } = await assertionOf(ctx, provider, response)
    const token = await database.transaction(async (db) => {
      await spendBoth(db, http.request, provider, assertion, now)
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
    return { location: pageAfterSignIn(native, relayState) }
  },
}
