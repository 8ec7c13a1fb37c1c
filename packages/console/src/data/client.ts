import { createClient } from '@steading/api/client'

/** Answers requested early by the script in the document's head (`early/ask-early.ts`), by URL. */
const answers = (globalThis as { earlyAnswers?: Map<string, Promise<Response>> }).earlyAnswers

/** `fetch` that consumes early answers, each once. */
const fetchEarly: typeof fetch = (input, init) => {
  const url = String(input)
  const answer = init?.method === 'GET' ? answers?.get(url) : undefined
  answers?.delete(url)
  return answer ?? fetch(input, init)
}

/** Sends every read from now on: unused early answers are outdated. */
export const forgetEarlyAnswers = (): void => answers?.clear()

export const client = createClient({ remembers: true, fetch: fetchEarly })

/**
 * Aborts on sign-out in this tab: pending reads would be refused, and no page shows them any
 * more.
 */
const controller = new AbortController()

/** Aborted on sign-out. */
export const leaving = controller.signal

/** Aborts all pending reads. The page has to be left afterwards. */
export function leave(): void {
  controller.abort()
  // Reloads a page that the browser restores from its back/forward cache.
  addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
}
