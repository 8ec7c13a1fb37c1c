/** Cookies: their names, reading them, and their attributes. */

/** Values of a cookie that are tried. */
const VALUES_MAX = 8

const DEFAULT_PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' }

/**
 * The names of a cookie. Cookies do not distinguish ports, so consoles at several ports of a host,
 * such as tunnels, overwrite each other's; therefore each is set a second time, under a name with
 * the port. The plain name is known to other clients, and is what is left if the answer of a
 * provider arrives at another port.
 */
function cookieNames(request: Request, name: string): [plain: string, own: string] {
  const { port, protocol } = new URL(request.url)
  return [name, `${name}-${port || DEFAULT_PORTS[protocol]}`]
}

/**
 * The values of a cookie in a request, that for its port first. Others may be those of another
 * server on the same host, or for another path.
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

/**
 * The values of `set-cookie` for a cookie.
 * @param content its value and attributes
 */
export const cookieLines = (request: Request, name: string, content: string): string[] =>
  cookieNames(request, name).map((each) => `${each}=${content}`)

/** Sets a cookie in an answer. */
export function setCookie(headers: Headers, request: Request, name: string, content: string): void {
  for (const line of cookieLines(request, name, content)) headers.append('set-cookie', line)
}

/**
 * The attribute `Secure` for requests over TLS, so that the cookie is not sent over plain
 * connections.
 */
export const secureFlag = (request: Request): string =>
  new URL(request.url).protocol === 'https:' ? ' Secure;' : ''
