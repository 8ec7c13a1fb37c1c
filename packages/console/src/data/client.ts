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
