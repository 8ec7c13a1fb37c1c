import { authenticate } from '../resources/identity/auth/authenticate.ts'
import { loginQuery, ParseError, parseQuery } from '@steading/api'
import {
  isLoginPath,
  LOGIN_SILO,
  nameProblem,
  oidcLoginPath,
  SILO_CHOICE_PATH,
  SILO_COOKIE,
} from '@steading/api/rules'
import { cookieOf } from '../kernel/cookies.ts'
import type { OpenDatabase } from '../kernel/db/database.ts'
import type { ControlPlaneServices } from '../kernel/services.ts'
import { rowsOf } from '../kernel/kinds.ts'
import { ApiError, fail } from '../kernel/errors.ts'
import { errorResponse } from './error-response.ts'

/** `{silo}.sys.{zone}` names the silo of a browser that has not signed in. */
function siloOfHost(request: Request): string | undefined {
  return /^([a-z0-9-]+)\.sys\./.exec(new URL(request.url).hostname)?.[1]
}

/** The name comes from the browser; invalid names are not looked up. */
const siloNamed = async ({ db }: OpenDatabase, name: string) =>
  nameProblem(name)
    ? undefined
    : rowsOf(db, 'silo')
        .select(['id', 'name', 'identity_mode'])
        .where('name', '=', name)
        .executeTakeFirst()

type SignInSilo = NonNullable<Awaited<ReturnType<typeof siloNamed>>>

/**
 * The silo to sign in to: the one in the host name, the last one this browser signed in to, or the
 * first one.
 */
async function siloOf(
  { database, settings }: ControlPlaneServices,
  request: Request,
): Promise<SignInSilo> {
  const ofHost = siloOfHost(request)
  const last = ofHost ? undefined : cookieOf(request, SILO_COOKIE)
  const remembered = last === undefined ? undefined : await siloNamed(database, last)
  const name = ofHost ?? settings.defaultSilo
  const silo = remembered ?? (await siloNamed(database, name))
  if (!silo) throw fail.notFoundByName('silo', name)
  return silo
}

const queryOf = (values: Record<string, string | undefined>): string => {
  const query = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return query.length > 0 ? `?${query.join('&')}` : ''
}

/** The page on which the users of a silo sign in. */
async function loginPageOf(
  { database: { db } }: ControlPlaneServices,
  silo: SignInSilo,
  redirect_uri: string | undefined,
): Promise<string> {
  const query = queryOf({ redirect_uri })
  if (silo.identity_mode === 'local_only') return `/login/${silo.name}/local${query}`
  const named = (kind: 'saml_identity_provider' | 'oidc_identity_provider') =>
    rowsOf(db, kind)
      .select('name')
      .where('silo_id', '=', silo.id)
      .orderBy('name')
      .limit(2)
      .execute()
  const [saml, oidc] = [
    await named('saml_identity_provider'),
    await named('oidc_identity_provider'),
  ]
  const [provider] = saml
  // The page of the silo lists all of them, if some have another protocol.
  if (provider && oidc.length > 0) return `/login/${silo.name}/local${query}`
  if (provider) return `/login/${silo.name}/saml/${provider.name}${query}`
  if (oidc.length > 1) return `/login/${silo.name}/local${query}`
  if (oidc[0]) return `${oidcLoginPath(silo.name, oidc[0].name)}${query}`
  throw fail.invalidRequest('no identity providers are configured for Silo')
}

/** The login page of the silo that the user named, or the page that asks for another name. */
async function chosenLoginPage(
  services: ControlPlaneServices,
  chosen: string,
  redirect_uri: string | undefined,
): Promise<string> {
  const silo = await siloNamed(services.database, chosen)
  return silo
    ? loginPageOf(services, silo, redirect_uri)
    : SILO_CHOICE_PATH + queryOf({ [LOGIN_SILO]: chosen, redirect_uri })
}

/**
 * The `redirect_uri` of a login page, if there is one.
 * @throws ApiError 400 if it leads to another host
 */
function redirectUriOf(searchParams: URLSearchParams): string | undefined {
  try {
    const { redirect_uri } = parseQuery(loginQuery, searchParams)
    return redirect_uri as string | undefined
  } catch (error) {
    throw error instanceof ParseError ? fail.badRequest(error.message) : error
  }
}

/**
 * The answer to a browser that requests a page of the console: a redirect to the login page of its
 * silo if it is not signed in or requests `/login` itself; undefined if the page may be served.
 */
export async function consolePage(
  services: ControlPlaneServices,
  request: Request,
): Promise<Response | undefined> {
  const { pathname, search, searchParams } = new URL(request.url)
  const redirect = (location: string) =>
    new Response(null, { status: 302, headers: { location, 'cache-control': 'no-store' } })
  const toLogin = async (back: string | undefined) =>
    redirect(await loginPageOf(services, await siloOf(services, request), back))
  const signedIn = async (): Promise<boolean> => {
    try {
      await authenticate(services, request, services.clock())
      return true
    } catch (error) {
      if (error instanceof ApiError && error.template.status === 401) return false
      throw error
    }
  }
  try {
    if (isLoginPath(pathname)) {
      const back = redirectUriOf(searchParams)
      if (pathname !== '/login') return undefined
      const chosen = searchParams.get(LOGIN_SILO)
      return chosen && siloOfHost(request) === undefined
        ? redirect(await chosenLoginPage(services, chosen, back))
        : await toLogin(back)
    }
    return (await signedIn()) ? undefined : await toLogin(pathname + search)
  } catch (error) {
    const known = error instanceof ApiError ? error : services.outages.recognize(error)
    if (!known) throw error
    return errorResponse(pathname, known, crypto.randomUUID())
  }
}
