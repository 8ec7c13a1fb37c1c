import { SESSION_COOKIE } from '@steading/api/rules'
import type { CookieJar } from './cookie-jar.ts'
import { visitorCookie } from './visitor.ts'

export interface Visits {
  /** Aborted when the visitor switches to another user. */
  session: () => AbortSignal
  /** Records the token of a signed-in user. */
  isSignedIn: (name: string, token: string) => void
  /** Switches the visitor to another user, with an existing session or a new one. */
  become: (name: string) => Promise<void>
}

/**
 * The users that a visitor switches between. Each keeps a separate session until the page is
 * reloaded.
 * @param signIn opens a session
 * @param isValid whether the session in a jar is still valid
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
