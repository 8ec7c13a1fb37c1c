import { SESSION_COOKIE } from '@steading/api/rules'

/** How `curl` and our client authenticate. */
export const sessionNote = `The API takes a session: put the value of the cookie “${SESSION_COOKIE}” of a browser that is signed in, from its developer tools, into STEADING_SESSION.`
