import { authenticate } from '../resources/auth/authenticate.ts'
import { loginQuery, ParseError, parseQuery } from '@steading/api'
import { isLoginPath } from '@steading/api/rules'
import type { ControlPlaneServices } from '../kernel/services.ts'
import { rowsOf } from '../kernel/kinds.ts'
import { ApiError, fail } from '../kernel/errors.ts'
import { errorResponse } from './error-response.ts'

/** `{silo}.sys.{zone}` names the silo of a browser that has not signed in. */
function siloOfHost(request: Request): string | undefined {
  return /^([a-z0-9-]+)\.sys\./.exec(new URL(request.url).hostname)?.[1]
}

async function loginUrl(
  { database: { db }, settings }: ControlPlaneServices,
  request: Request,
  redirectUri: string | undefined,
): Promise<string> {
  const name = siloOfHost(request) ?? settings.defaultSilo
  const silo = await db
    .selectFrom('silo')
    .select(['id', 'name', 'identity_mode'])
    .where('name', '=', name)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (!silo) throw fail.notFoundByName('silo', name)
  const query = redirectUri ? `?redirect_uri=${encodeURIComponent(redirectUri)}` : ''
  if (silo.identity_mode === 'local_only') return `/login/${silo.name}/local${query}`
  const provider = await rowsOf(db, 'saml_identity_provider')
    .select('name')
    .where('silo_id', '=', silo.id)
    .orderBy('name')
    .executeTakeFirst()
  if (!provider) throw fail.invalidRequest('no identity providers are configured for Silo')
  return `/login/${silo.name}/saml/${provider.name}${query}`
}

/**
 * The `redirect_uri` of a login page, if there is one.
 * @throws ApiError 400 if it leads to another host
 */
function wayBack(searchParams: URLSearchParams): string | undefined {
  try {
    const { redirect_uri } = parseQuery(loginQuery, searchParams)
    return redirect_uri as string | undefined
  } catch (error) {
    throw error instanceof ParseError ? fail.badRequest(error.message) : error
  }
}

/**
 * The answer to a browser that asks for a page of the console: a redirect to the login page of its
 * silo if it is not signed in or asks for `/login` itself; undefined if the page may be served.
 */
export async function consolePage(
  services: ControlPlaneServices,
  request: Request,
): Promise<Response | undefined> {
  const { pathname, search, searchParams } = new URL(request.url)
  const redirect = async (to: string | undefined) =>
    new Response(null, {
      status: 302,
      headers: { location: await loginUrl(services, request, to), 'cache-control': 'no-store' },
    })
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
      const back = wayBack(searchParams)
      return pathname === '/login' ? await redirect(back) : undefined
    }
    return (await signedIn()) ? undefined : await redirect(pathname + search)
  } catch (error) {
    const known = error instanceof ApiError ? error : services.outages.notice(error)
    if (!known) throw error
    return errorResponse(pathname, known, crypto.randomUUID())
  }
}
