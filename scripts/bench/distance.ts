/** A TCP proxy that adds network latency to a server. */
import { once } from 'node:events'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'

export interface Distance {
  url: string
  stop: () => Promise<void>
}

/**
 * Forwards connections, and delays the answers. Timers have a resolution of milliseconds, so all of
 * the delay is in one direction.
 * @param url of the server
 */
export async function putAway(url: string, milliseconds: number): Promise<Distance> {
  const target = new URL(url)
  const open = new Set<Socket>()
  const proxy = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => {})
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
    near.on('data', (data: Buffer) => void far.write(data))
    far.on('data', (data: Buffer) => void setTimeout(() => near.write(data), milliseconds))
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const away = new URL(url)
  away.port = String((proxy.address() as AddressInfo).port)
  return {
    url: away.href,
    async stop() {
      for (const socket of open) socket.destroy()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
