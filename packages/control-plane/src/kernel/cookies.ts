/** Cookies: their names, reading them, and setting them. */

/** Values of a cookie that are tried. */
const VALUES_MAX = 8

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' }

/**
 * The names of a cookie. Cookies do not distinguish ports, so consoles at several ports of a host,
 * such as tunnels, overwrite each other's; therefore each is set a second time, under a name with
 * the port. The plain name remains for other clients, and for answers of identity providers that
 * arrive at another port.
 */
function cookieNames(request: Request, name: string): [plain: string, own: string] {
  const { port, protocol } = new URL(request.url)
  return [name, `${name}-${port || DEFAULT_PORTS[protocol]}`]
}

/**
 * The values of a cookie in a request; the one for the port of the request comes first. Others may
 * be from another server on the same host, or for another path.
 */
export function cookieValues(request: Request, name: string): string[] {
  const header = request.headers.get('cookie')
  if (!header) return []
  const cookies = header.split(';').map((cookie) => cookie.trim().split('=', 2))
  const valuesOf = (wanted: string) =>
    cookies.flatMap(([key, value]) => (key === wanted && value ? [value] : []))
  const [plain, own] = cookieNames(request, name)
  return [...new Set([...valuesOf(own), ...valuesOf(plain)])].slice(0, VALUES_MAX)
}

/** The value of a cookie for the port of a request; undefined if it is missing or empty. */
export const cookieOf = (request: Request, name: string): string | undefined =>
  cookieValues(request, name)[0]

export interface CookieAttributes {
  path: string
  /** Seconds; zero removes the cookie. */
  maxAge: number
  /** Undefined leaves the attribute out. */
  sameSite: 'Lax' | 'Strict' | 'None' | undefined
  /** Whether the cookie is sent over TLS only; by default, if it is set over TLS. */
  secure?: boolean
}

/** The values of `set-cookie` for a cookie, which scripts cannot read. */
export function cookieLines(
  request: Request,
  name: string,
  value: string,
  { path, maxAge, sameSite, secure = new URL(request.url).protocol === 'https:' }: CookieAttributes,
): string[] {
  const attributes = [
    `Path=${path}`,
    'HttpOnly',
    ...(sameSite ? [`SameSite=${sameSite}`] : []),
    ...(secure ? ['Secure'] : []),
    `Max-Age=${maxAge}`,
  ]
  return cookieNames(request, name).map((each) => [`${each}=${value}`, ...attributes].join('; '))
}

/** @param lines values of `set-cookie` */
export function addCookies(headers: Headers, lines: readonly string[]): void {
  for (const line of lines) headers.append('set-cookie', line)
}
