import type { tables } from '@steading/api'
import {
  SIGN_IN_FREE_FAILURES,
  SIGN_IN_FREE_FAILURES_OF_ADDRESS,
  samlMessages,
  tooManySignInsMessage,
} from '@steading/api/rules'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { addCookies } from '../../../kernel/cookies.ts'
import type { Db } from '../../../kernel/db/database.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import { SamlError, type SamlResponse } from '../../../kernel/ports/saml.ts'
import { writingIn } from '../../../kernel/work.ts'
import { samlSignInOf } from '../identity-providers/saml.ts'
import { requireTurnOfNetworks } from '../auth/networks.ts'
import { hasMade, newRequest, requestEnd } from '../auth/provider-requests.ts'
import { provision } from '../auth/provision.ts'
import { siloProvider } from '../auth/silo-provider.ts'
import { requireTurn } from '../auth/throttle.ts'
import { useOnce } from '../auth/use-once.ts'
import { setSignInCookies, signIn } from '../sessions/sessions.ts'
import { noteSignIn } from '../user-identities/last-sign-in.ts'
import { type Assertion, checkAssertion, checkIssuer, checkResponse } from './assertion.ts'
import { readForm, pageAfterSignIn } from './form.ts'
import { requestUrl, saml, samlCookies } from './requests.ts'
import { signingCertificates } from '../identity-providers/kind.ts'

type Provider = Row<'saml_identity_provider'>

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
  if (inResponseTo !== undefined && (await hasMade(db, saml, http.request, inResponseTo))) {
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
    const end = await requestEnd(db, saml, provider, inResponseTo)
    if (!end) throw refuse('it answers a request that was not made here')
    if (!(await hasMade(db, saml, browser, inResponseTo))) throw refuse(samlMessages.otherBrowser)
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
    const { provider } = await siloProvider(db, 'saml_identity_provider', params)
    const id = await newRequest(db, saml, provider, now)
    addCookies(http.responseHeaders, await samlCookies(db, http.request, provider, id))
    return { location: await requestUrl(toolkit, provider, id, query.redirect_uri, now) }
  },

  async login_saml(ctx) {
    const { services, http, audit, now } = ctx
    const { database, native } = services
    samlSignInOf(services)
    const { silo, provider } = await siloProvider(ctx.db, 'saml_identity_provider', ctx.params)
    audit.siloId = silo.id
    const { response, relayState } = readForm(native, ctx.body as unknown as Uint8Array)
    const { assertion, refund } = await assertionOf(ctx, provider, response)
    const token = await database.transaction(async (db) => {
      await spendBoth(db, http.request, provider, assertion, now)
      const writing = writingIn(db, now, undefined, audit)
      const user = await provision(writing, audit, silo, provider, assertion)
      await noteSignIn(db, { id: provider.id, type: 'saml' }, assertion, now)
      audit.author = { userId: user.id, displayName: user.display_name, siloId: silo.id }
      return signIn(writing, user.id, { ...http, expires: assertion.sessionEnds })
    })
    refund()
    setSignInCookies(http, services.settings, token, silo.name)
    return { location: pageAfterSignIn(native, relayState) }
  },
}
