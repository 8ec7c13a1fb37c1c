/**
 * The published client of this API, as any program would use it: with a real host, over HTTP. Only
 * its README and its types are relied upon.
 */
import Oxide, { type ApiResult, type ErrorBody } from '@oxide/api'
import { expect, onTestFinished, vi } from 'vitest'
import { answerOf, validate } from '../../../control-plane/test/support/caller.ts'
import { PASSWORD, startProcess, migratedDirectory } from '../support/process.ts'

export type Methods = Oxide['methods']

/** The client uses the global `fetch`; every answer is checked against the contract as well. */
function holdAnswersAgainstContract(): void {
  const send = globalThis.fetch
  const watch = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const response = await send(input, init)
    const { pathname, search } = new URL(String(input))
    validate(init!.method!, pathname + search, await answerOf(response.clone()))
    return response
  })
  onTestFinished(() => watch.mockRestore())
}

/** A new host for one test, whose machines boot instantly. */
export async function startHost(): Promise<string> {
  holdAnswersAgainstContract()
  const { url } = await startProcess(['--data', migratedDirectory(), '--boot-ms', '0'])
  return url
}

/** Signs in through the client, and stores the cookie, as a program other than a browser has to. */
export async function signIn(host: string): Promise<{ methods: Methods; cookie: string }> {
  const result = await new Oxide({ host }).methods.loginLocal({
    path: { siloName: 'main' },
    body: { username: 'admin', password: PASSWORD },
  })
  ok(result)
  const cookie = result.response.headers.get('set-cookie')!.split(';')[0]!
  return { methods: new Oxide({ host, baseParams: { headers: { cookie } } }).methods, cookie }
}

/** Data of a call that is expected to succeed. */
export function ok<T>(result: ApiResult<T>): T {
  if (result.type === 'success') return result.data
  if (result.type === 'client_error') throw result.error
  throw new Error(`the call was answered with ${JSON.stringify(result.data)}`)
}

/** Error of a call that is expected to fail; its request id is in the header, too. */
export function refusal(
  result: ApiResult<unknown>,
): { status: number } & Omit<ErrorBody, 'requestId'> {
  if (result.type !== 'error') throw new Error(`the call gave a ${result.type}`)
  const { requestId, ...rest } = result.data
  expect(requestId).toBe(result.response.headers.get('x-request-id'))
  return { status: result.response.status, ...rest }
}

/** Retries until a check passes; the timeout of the test ends a hang. */
export const eventually = (check: () => Promise<void>): Promise<void> =>
  vi.waitFor(check, { timeout: 120_000, interval: 10 })
