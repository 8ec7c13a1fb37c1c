/** Cookies of the control plane, which a page can neither send nor receive itself. */
import { isPortCookie } from '@steading/api/rules'

export interface CookieJar {
  /** Value of the header `cookie`. */
  header: () => string | undefined
  set: (name: string, value: string) => void
  /** Processes a `set-cookie` header value. */
  store: (setCookie: string) => void
}

/** @param changed called with each cookie that an answer sets, or removes (value `undefined`) */
export function createCookieJar(
  changed: (name: string, value: string | undefined) => void = () => {},
): CookieJar {
  const cookies = new Map<string, string>()
  return {
    header: () =>
      cookies.size === 0
        ? undefined
        : [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    set: (name, value) => void cookies.set(name, value),
    store(setCookie) {
      const [pair = '', ...attributes] = setCookie.split(';').map((part) => part.trim())
      const equals = pair.indexOf('=')
      if (equals < 1) return
      const name = pair.slice(0, equals)
      // The page has one port; a second cookie of the session would outlast a change of the user.
      if (isPortCookie(name)) return
      const value = pair.slice(equals + 1)
      const ended = attributes.some((attribute) => /^max-age=-?0*$/i.test(attribute)) || !value
      if (ended) cookies.delete(name)
      else cookies.set(name, value)
      changed(name, ended ? undefined : value)
    },
  }
}
