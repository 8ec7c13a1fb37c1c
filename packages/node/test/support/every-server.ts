/** Calls of a user who tries another server when one does not answer. */

/** A call without an answer by then is given up. Milliseconds. */
const GIVEN_UP_MS = 30_000

export interface EveryServer {
  /** @throws if no server answers it with success */
  call: <T>(method: string, path: string, body?: object) => Promise<T>
  fetchBytes: (path: string, headers: Record<string, string>) => Promise<Uint8Array>
}

/** @param urls of the present servers, which may change */
export function everyServer(urls: () => readonly string[], cookie: string): EveryServer {
  const ask = async (path: string, options: RequestInit): Promise<Response> => {
    const failures: string[] = []
    for (const url of urls()) {
      try {
        const answer = await fetch(url + path, {
          ...options,
          signal: AbortSignal.timeout(GIVEN_UP_MS),
        })
        if (answer.ok) return answer
        failures.push(`${answer.status} ${await answer.text()}`)
        if (answer.status !== 503) break
      } catch (error) {
        failures.push(String(error))
      }
    }
    throw new Error(`${options.method ?? 'GET'} ${path}: ${failures.join('; ') || 'no server'}`)
  }
  return {
    async call<T>(method: string, path: string, body?: object) {
      const answer = await ask(path, {
        method,
        headers: { cookie, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      return (text ? JSON.parse(text) : undefined) as T
    },
    async fetchBytes(path, headers) {
      const answer = await ask(path, { headers: { cookie, ...headers } })
      return new Uint8Array(await answer.arrayBuffer())
    },
  }
}
