/** The `fetch` of conversations with providers: to permitted networks, limited in size and time. */
import type { IncomingMessage } from 'node:http'
import { OIDC_ANSWER_MAX, OIDC_FETCH_MS, oidcMessages as messages } from '@steading/api/rules'
import { OidcError } from '@steading/control-plane/ports'
import { type Reach, targetOf } from '../outgoing/addresses.ts'
import { faultOfHost } from '../outgoing/faults.ts'
import { sendTo, untilAborted } from '../outgoing/request.ts'

const unreachable = (reason: string) => new OidcError(messages.unreachable(reason), true)

async function bytesOf(response: IncomingMessage): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > OIDC_ANSWER_MAX) {
      throw unreachable(`its answer has more than ${OIDC_ANSWER_MAX} bytes`)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

export interface FetchOptions {
  method?: string
  headers?: HeadersInit | undefined
  body?: unknown
}

async function send(
  address: string,
  { method, headers, body }: FetchOptions,
  reach: Reach,
  signal: AbortSignal,
): Promise<Response> {
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw unreachable(messages.plain)
  const target = await targetOf(url, reach)
  if (!target) throw unreachable(messages.private)
  // An attacker who can change keys in transit can sign in as any user.
  if (url.protocol === 'http:' && !target.allowed) throw unreachable(messages.plain)
  const response = await sendTo(url, target, {
    method: method === 'POST' ? 'POST' : 'GET',
    headers: [...new Headers(headers)],
    ...(body !== undefined && body !== null && { body: String(body as string) }),
    signal,
  })
  try {
    const { statusCode: status = 0 } = response
    if (status < 200 || status >= 500) throw unreachable(`it answers with status ${status}`)
    const bytes = await bytesOf(response)
    const { location, 'content-type': type } = response.headers
    return new Response(status === 204 || status === 304 ? null : bytes, {
      status,
      headers: {
        ...(type !== undefined && { 'content-type': type }),
        ...(location !== undefined && { location }),
      },
    })
  } finally {
    response.destroy()
  }
}

/**
 * @param networks open to requests besides the public internet
 * @param proxy through which they are sent
 * @returns sends a request and reads the answer; redirects are not followed
 */
export const fetchOver =
  (networks?: Reach['networks'], limitMs: number = OIDC_FETCH_MS, proxy?: Reach['proxy']) =>
  async (address: string, options: FetchOptions): Promise<Response> => {
    const signal = AbortSignal.timeout(limitMs)
    try {
      return await untilAborted(signal, send(address, options, { networks, proxy }, signal))
    } catch (error) {
      throw error instanceof OidcError ? error : unreachable(faultOfHost(error, signal))
    }
  }
