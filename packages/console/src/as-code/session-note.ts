import { SESSION_COOKIE } from '@steading/api/rules'

/** How `curl` and our client are let in. */
export const sessionNote = `Put the value of the cookie “${SESSION_COOKIE}” of a browser that is signed in into STEADING_SESSION.`
