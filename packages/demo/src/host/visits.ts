import { SESSION_COOKIE } from '@steading/api/rules'
import type { CookieJar } from './cookie-jar.ts'
import { visitorCookie } from './visitor.ts'

export interface Visits {
  /** Ends when the visitor becomes another person. */
  session: () => AbortSignal
  /** The person with this name is signed in with this token. */
  isSignedIn: (name: string, token: string) => void
  /** Makes the visitor another person, with the session that they have, or a new one. */
  become: (name: string) => Promise<void>
}

/**
 * The people that a visitor is in turn. Each keeps a session of their own until the page is reloaded.
 * @param signIn opens a session
 * @param isValid whether a session, as it is in the jar, has not ended meanwhile
 */
export function createVisits(
  jar: Pick<CookieJar, 'set'>,
  signIn: (name: string) => Promise<string>,
  isValid: () => Promise<boolean>,
  remember: (cookie: string) => void,
): Visits {
  const tokens = new Map<string, string>()
  let present = new AbortController()
  return {
    session: () => present.signal,
    isSignedIn: (name, token) => void tokens.set(name, token),
    async become(name) {
      const known = tokens.get(name)
      if (known) jar.set(SESSION_COOKIE, known)
      if (!known || !(await isValid())) {
        const token = await signIn(name)
        tokens.set(name, token)
        jar.set(SESSION_COOKIE, token)
      }
      remember(visitorCookie(name))
      present.abort()
      present = new AbortController()
    },
  }
}
