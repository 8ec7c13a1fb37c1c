import { createClient } from '@steading/api/client'

/** Answers that the script in the head of the document (`early/ask-early.ts`) has asked for, by URL. */
const answers = (globalThis as { earlyAnswers?: Map<string, Promise<Response>> }).earlyAnswers

/** `fetch`, which takes the answer to a read that was asked for early. Each is taken once. */
const fetchEarly: typeof fetch = (input, init) => {
  const url = String(input)
  const answer = init?.method === 'GET' ? answers?.get(url) : undefined
  answers?.delete(url)
  return answer ?? fetch(input, init)
}

/** From now on every read is sent: the answers that nobody took are of the past. */
export const forgetEarlyAnswers = (): void => answers?.clear()

export const client = createClient({ remembers: true, fetch: fetchEarly })

/**
 * The end of a session that the user ends in this tab: what is still read then would be refused, and
 * no page shows it any more.
 */
const controller = new AbortController()

/** Aborted from then on. */
export const leaving = controller.signal

/** Gives up all that is being read. The page has to be left then. */
export function leave(): void {
  controller.abort()
  // A browser that goes back to the page as it was gets it anew.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
}
