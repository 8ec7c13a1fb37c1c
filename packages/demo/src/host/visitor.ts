/**
 * The signed-in user when a page of the demo starts: the cookie `msw-user` contains the display
 * name. It outlives the page as a session cookie would, although the session itself does not.
 * Empty: nobody, because the last user has signed out. Absent: the first user, who has all
 * permissions.
 */
const NAME = 'msw-user'

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function readVisitor(cookies: string): string | undefined {
  const prefix = `${NAME}=`
  const pair = cookies.split(/;\s*/).find((text) => text.startsWith(prefix))
  return pair === undefined ? undefined : decode(pair.slice(prefix.length))
}

/** @param displayName empty if no user is signed in */
export const visitorCookie = (displayName: string): string =>
  `${NAME}=${encodeURIComponent(displayName)}; path=/; samesite=lax`
