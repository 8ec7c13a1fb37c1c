import type { tables } from '@steading/api'
import {
  OIDC_ID_TOKEN_MAX,
  OIDC_LOGOUT_S,
  OIDC_CLOCK_SKEW_S,
  oidcLoginPath,
  oidcMessages as messages,
  SIGN_IN_FREE_FAILURES_OF_ADDRESS,
  SIGN_IN_FREE_VIEWS,
  tooManySignInsMessage,
  tooManySignInViewsMessage,
} from '@steading/api/rules'
import type { Context, Handlers } from '../../../kernel/context.ts'
import { addCookies } from '../../../kernel/cookies.ts'
import { ApiError, fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { OidcError } from '../../../kernel/ports/oidc.ts'
import { writingIn } from '../../../kernel/work.ts'
import { requireTurnOfNetworks } from '../auth/networks.ts'
import { hasMade, requestEnd } from '../auth/provider-requests.ts'
import { provision } from '../auth/provision.ts'
import { siloProvider } from '../auth/silo-provider.ts'
import { useOnce } from '../auth/use-once.ts'
import { clientOf, oidcOf, refusing } from '../oidc-providers/client.ts'
import {
  endSessions,
  sessionTokens,
  setSessionCookies,
  setSignInCookies,
  signIn,
} from '../sessions/sessions.ts'
import { noteSignIn } from '../user-identities/last-sign-in.ts'
import { newState, oidc, oidcCookies, partsOf, requestOf } from './requests.ts'
import { sessionAtProvider, signingOut, signOutAt } from './sign-out.ts'
import { claimsOf, userIn } from './user.ts'

type Provider = Row<'oidc_identity_provider'>

const refusal = (reason: string) => fail.invalidRequest(messages.refused(reason))

/** A provider that cannot be reached is no fault of the user. */
const asRefusal = ({ message, unreachable }: OidcError): ApiError =>
  unreachable ? fail.unavailable(message) : refusal(message)

/**
 * Spends the request that an answer names, before its code is redeemed: so no number of codes can
 * be tried with one request.
 * @throws ApiError 400 if it was used before, has expired, or another browser made it
 */
async function spendRequest(
  { db, services, http, now }: Context<'login_oidc'>,
  provider: Provider,
  state: string,
): Promise<void> {
  const { id } = partsOf(state)
  const end = await requestEnd(db, oidc, provider, id)
  if (!end) throw refusal(messages.notAsked)
  if (!(await hasMade(db, oidc, http.request, state))) throw refusal(messages.otherBrowser)
  if (end <= now) throw refusal(messages.expired)
  const isFirst = await services.database.transaction((tx) =>
    useOnce(tx, `oidc request ${provider.id} ${id}`, end),
  )
  if (!isFirst) throw refusal(messages.answered)
}

/** An error in the form of RFC 6749, section 5.2. */
const logoutRefused = (description: string): Response =>
  Response.json(
    { error: 'invalid_request', error_description: description },
    { status: 400, headers: { 'cache-control': 'no-store' } },
  )

export const oidcLoginHandlers: Handlers<typeof tables.oidcLoginOperations> = {
  async login_oidc_redirect({ db, services, http, params, query, now }) {
    const { requestUrl } = oidcOf(services)
    const { provider } = await siloProvider(db, 'oidc_identity_provider', params)
    requireTurnOfNetworks(
      services.throttle,
      'OIDC requests of',
      http.clientAddress,
      SIGN_IN_FREE_VIEWS,
      tooManySignInViewsMessage,
    )
    const state = await newState(db, provider, query.redirect_uri, now)
    const request = await requestOf(db, provider, state)
    const location = await refusing(asRefusal, requestUrl(clientOf(provider), request))
    addCookies(http.responseHeaders, await oidcCookies(db, http.request, provider, state))
    return { location }
  },

  async login_oidc(ctx) {
    const { db, services, http, audit, now } = ctx
    const { redeem } = oidcOf(services)
    const { silo, provider } = await siloProvider(db, 'oidc_identity_provider', ctx.params)
    audit.siloId = silo.id
    const { state = '' } = ctx.query
    await spendRequest(ctx, provider, state)
    const refund = requireTurnOfNetworks(
      services.throttle,
      'OIDC answers of',
      http.clientAddress,
      SIGN_IN_FREE_FAILURES_OF_ADDRESS,
      tooManySignInsMessage,
    )
    const answer = new URL(provider.redirect_uri)
    answer.search = new URL(http.request.url).search
    const request = await requestOf(db, provider, state)
    const { subject, session, idToken, claims } = await refusing(
      asRefusal,
      redeem(clientOf(provider), request, answer, claimsOf(provider)),
    )
    const named = userIn(claims, provider)
    const token = await services.database.transaction(async (tx) => {
      // The provider may have been deleted or changed meanwhile.
      const present = await siloProvider(tx, 'oidc_identity_provider', ctx.params)
      if (present.provider.id !== provider.id) throw refusal(messages.notAsked)
      const writing = writingIn(tx, now, undefined, audit)
      const user = await provision(writing, audit, present.silo, provider, named)
      await noteSignIn(tx, { id: provider.id, type: 'oidc' }, named, now)
      audit.author = { userId: user.id, displayName: user.display_name, siloId: silo.id }
      const isKept =
        present.provider.sign_out_at_provider === 1 && idToken.length <= OIDC_ID_TOKEN_MAX
      const derives = {
        provider: provider.id,
        subject,
        session,
        idToken: isKept ? idToken : undefined,
      }
      return signIn(writing, user.id, { ...http, derives })
    })
    refund()
    setSignInCookies(http, services.settings, token, silo.name)
    return { location: partsOf(state).page }
  },

  async logout_oidc(ctx) {
    const { db, services, http, audit, now } = ctx
    const { readLogout } = oidcOf(services)
    const { silo, provider } = await siloProvider(db, 'oidc_identity_provider', ctx.params)
    audit.siloId = silo.id
    const refund = requireTurnOfNetworks(
      services.throttle,
      'OIDC logouts of',
      http.clientAddress,
      SIGN_IN_FREE_FAILURES_OF_ADDRESS,
      tooManySignInsMessage,
    )
    try {
      const { id, subject, session } = await refusing(
        asRefusal,
        readLogout(clientOf(provider), ctx.body.logout_token),
      )
      const end = new Date(now.getTime() + (OIDC_LOGOUT_S + 2 * OIDC_CLOCK_SKEW_S) * 1000)
      const which = {
        provider: provider.id,
        ...(session === undefined ? { subject: subject! } : { session }),
        ...(subject !== undefined && { subject }),
      }
      await services.database.transaction(async (tx) => {
        if (!(await useOnce(tx, `oidc logout ${provider.id} ${id}`, end))) return
        await endSessions(writingIn(tx, now, undefined, audit), which, 'provider')
      })
      refund()
    } catch (error) {
      if (!(error instanceof ApiError) || error.template.status !== 400) throw error
      return logoutRefused(error.message)
    }
    return new Response(null, { headers: { 'cache-control': 'no-store' } })
  },

  async sign_out(ctx) {
    const { db, services, http, now } = ctx
    const tokens = sessionTokens(http.request)
    let session: Awaited<ReturnType<typeof sessionAtProvider>>
    for (const token of tokens) {
      session ??= await sessionAtProvider(db, token)
      await services.database.concurrently((tx) => endSessions(writingIn(tx, now), { token }))
    }
    setSessionCookies(http, '', 0)
    const there = session && (await signOutAt(db, services, session, http.request, now))
    if (!there) return { provider_url: null }
    addCookies(http.responseHeaders, there.cookies)
    return { provider_url: there.url }
  },

  async signed_out_oidc({ db, params, query, http, now }) {
    const { state = '' } = query
    const provider = await siloProvider(db, 'oidc_identity_provider', params).then(
      (found) => found.provider,
      (error: unknown) => {
        // Deleted meanwhile.
        if (error instanceof ApiError && error.template.status === 404) return undefined
        throw error
      },
    )
    const end = provider && (await requestEnd(db, signingOut, provider, state))
    const isOwn =
      end !== undefined && end > now && (await hasMade(db, signingOut, http.request, state))
    // Another site may lead browsers here; they get to the general page, which says nothing.
    return { location: isOwn ? oidcLoginPath(params.silo_name, params.provider_name) : '/login' }
  },
}
