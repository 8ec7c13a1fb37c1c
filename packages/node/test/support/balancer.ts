/** A load balancer that distributes requests and sockets to equal servers in turn. */
import { once } from 'node:events'
import { Agent, createServer, request, type IncomingMessage, type RequestOptions } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'

export interface Balancer {
  url: string
  close: () => Promise<void>
}

export async function startBalancer(targets: readonly string[]): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true })
  let turn = 0
  const next = ({ method, url, headers }: IncomingMessage): RequestOptions => {
    const { hostname, port } = new URL(targets[turn++ % targets.length]!)
    return { hostname, port, method, path: url, headers }
  }

  const server = createServer((incoming, outgoing) => {
    const forwarded = request({ ...next(incoming), agent }, (response) => {
      outgoing.writeHead(response.statusCode!, response.rawHeaders)
      // An event stream starts with its headers only.
      outgoing.flushHeaders()
      pipeline(response, outgoing, () => {})
    })
    forwarded.on('error', () => (outgoing.headersSent ? outgoing.destroy() : fail()))
    const fail = () => outgoing.writeHead(502).end()
    pipeline(incoming, forwarded, () => {})
    outgoing.on('close', () => forwarded.destroy())
  })
  server.on('upgrade', (incoming, socket, head) => {
    const forwarded = request(next(incoming))
    forwarded.on('error', () => socket.destroy())
    forwarded.on('response', () => socket.destroy())
    forwarded.on('upgrade', (response, target, first) => {
      const lines = [`HTTP/1.1 101 ${response.statusMessage}`]
      for (let at = 0; at < response.rawHeaders.length; at += 2) {
        lines.push(`${response.rawHeaders[at]}: ${response.rawHeaders[at + 1]}`)
      }
      socket.write(`${lines.join('\r\n')}\r\n\r\n`)
      socket.write(first)
      target.write(head)
      pipeline(socket, target, socket, () => {})
    })
    forwarded.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.close()
      server.closeAllConnections()
      agent.destroy()
      if (server.listening) await once(server, 'close')
    },
  }
}
