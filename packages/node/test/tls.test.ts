/** Certificate selection of a TLS listener. Its service is tested with the API. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer } from 'node:tls'
import { expect, onTestFinished, test } from 'vitest'
import { makeCertificate } from '../../api/test/support/certificates.ts'
import { tlsOptions } from '../src/tls.ts'

const HOST = 'main.sys.cloud.example'

test('during a database outage, hosts keep their last certificate', async () => {
  const made = await makeCertificate({ names: [HOST] })
  let reachable = true
  const find = async () => {
    if (!reachable) throw new Error('no connection')
    return [{ id: 'one', cert: `\uFEFF${made.cert}`, key: made.key }]
  }
  const server = createServer(tlsOptions(find, () => {})).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const shakeHands = async (servername: string) => {
    const socket = connect({ port, host: '127.0.0.1', servername, ca: made.own })
    onTestFinished(() => void socket.destroy())
    await once(socket, 'secureConnect')
    return socket.authorized
  }
  expect(await shakeHands(HOST)).toBe(true)
  reachable = false
  expect(await shakeHands(HOST)).toBe(true)
  expect(await shakeHands(HOST.toUpperCase())).toBe(true)
  await expect(shakeHands('other.sys.cloud.example')).rejects.toThrow(/handshake failure/i)
})
