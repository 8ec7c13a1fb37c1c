/** A receiver of webhooks: an HTTP server on this machine that answers as its paths say. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  /** All values of a header that may occur several times. */
  signatures: string[]
  body: string
}

/** The handling of requests by the beginning of their path; others are answered with 200. */
const answers: Record<string, (response: ServerResponse, path: string) => void> = {
  '/status/': (response, path) => void response.writeHead(Number(path.slice(8))).end(),
  '/redirect': (response) => void response.writeHead(307, { location: '/elsewhere' }).end(),
  '/hang': () => {},
  '/close': (response) => void response.destroy(),
  '/huge': (response) => {
    // An answer without an end.
    const more = () => {
      while (!response.destroyed && response.write('x'.repeat(16_384)));
    }
    response.on('drain', more).on('error', () => {})
    more()
  },
}

export interface WebhookReceiver {
  url: string
  received: Received[]
  /** Changes the answer to requests for a path. */
  answer: (path: string, how: (response: ServerResponse) => void) => void
  close: () => void
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const received: Received[] = []
  const own = new Map<string, (response: ServerResponse) => void>()
  const server = createServer(async (request, response) => {
    const path = request.url!
    const body = await text(request)
    const { headers, headersDistinct } = request
    const signatures = headersDistinct['x-oxide-signature'] ?? []
    received.push({ path, headers, signatures, body })
    const known = Object.keys(answers).find((beginning) => path.startsWith(beginning))
    const how = own.get(path) ?? (known === undefined ? undefined : answers[known])
    if (how) how(response, path)
    else response.writeHead(200).end('thanks')
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answer: (path, how) => void own.set(path, how),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
