import { authenticate } from '../resources/auth/sessions.ts'
import type { ControlPlaneServices } from '../kernel/services.ts'
import { ApiError, errorResponse, fail } from '../kernel/errors.ts'

/** `{silo}.sys.{zone}` names the silo of a browser that has not signed in. */
function siloOfHost(request: Request): string | undefined {
  return /^([a-z0-9-]+)\.sys\./.exec(new URL(request.url).hostname)?.[1]
}

async function loginUrl(
  { database: { db }, settings }: ControlPlaneServices,
  request: Request,
  redirectUri: string | null,
): Promise<string> {
  const name = siloOfHost(request) ?? settings.defaultSilo
  const silo = await db
    .selectFrom('silo')
    .select(['name', 'identity_mode'])
    .where('name', '=', name)
    .where('time_deleted', 'is', null)
    .executeTakeFirst()
  if (!silo) throw fail.notFoundByName('silo', name)
  if (silo.identity_mode !== 'local_only') {
    throw fail.invalidRequest('no identity providers are configured for Silo')
  }
  const query = redirectUri ? `?redirect_uri=${encodeURIComponent(redirectUri)}` : ''
  return `/login/${silo.name}/local${query}`
}

/** Pages that anybody may open: the login and device pages themselves. */
const publicPage = /^\/(login\/|device\/)/

/**
 * What to answer to somebody who asks for a page of the console: a redirect to the login page of
 * their silo if they are not signed in, or if they ask for `/login` itself; else undefined.
 */
export async function consolePage(
  services: ControlPlaneServices,
  request: Request,
): Promise<Response | undefined> {
  const { pathname, search, searchParams } = new URL(request.url)
  const redirect = async (to: string | null) =>
    new Response(null, {
      status: 302,
      headers: { location: await loginUrl(services, request, to), 'cache-control': 'no-store' },
    })
  try {
    if (pathname === '/login') return await redirect(searchParams.get('redirect_uri'))
    if (publicPage.test(pathname)) return undefined
    await authenticate(services, request, services.clock())
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.template.status !== 401) return errorResponse(error, crypto.randomUUID())
    return redirect(pathname + search)
  }
}
