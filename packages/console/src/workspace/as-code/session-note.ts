import { SESSION_COOKIE } from '@steading/api/rules'

/** How `curl` and our client authenticate. */
export const sessionNote = `Requests are authenticated by a session. Copy the value of the cookie “${SESSION_COOKIE}” from the developer tools of a signed-in browser into STEADING_SESSION.`
