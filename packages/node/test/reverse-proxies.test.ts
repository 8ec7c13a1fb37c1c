/** The product behind reverse proxies, set up as the documentation says. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { request, type RequestOptions } from 'node:https'
import { GiB, RAW_CHUNK_MAX } from '@steading/api/rules'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { migratedDirectory, PASSWORD, post, startProcess } from './support/process.ts'
import {
  proxyMissing,
  proxyNames,
  type ProxyName,
  startReverseProxy,
} from './support/reverse-proxies.ts'

const trusting = { rejectUnauthorized: false }

/** The answer to a request, as soon as its headers are there. */
async function ask(url: string, options: RequestOptions, body?: Uint8Array | string) {
  const sent = request(url, { ...trusting, ...options })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  onTestFinished(() => void answer.destroy())
  return answer
}

async function behind(name: ProxyName) {
  const args = ['--data', migratedDirectory(), '--trust-proxy', '127.0.0.1', '--boot-ms', '0']
  const server = await startProcess(args)
  const proxy = await startReverseProxy(name, server.url)
  onTestFinished(proxy.close)
  const signIn = await ask(
    `${proxy.url}/v1/login/main/local`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: proxy.url },
    },
    JSON.stringify({ username: 'admin', password: PASSWORD }),
  )
  const [set] = signIn.headers['set-cookie']!
  expect(set).toMatch(/^session=.*; Secure/)
  return { server, proxy, cookie: set!.split(';')[0]! }
}

for (const name of proxyNames) {
  const missing = proxyMissing(name)
  // One of them stands for the others.
  const run = name === 'nginx' ? '' : ' @long'
  const reason = missing ? `: ${missing}` : ''
  test.skipIf(missing !== undefined)(
    `the documented settings of ${name} serve the whole console${reason}${run}`,
    async () => {
      const { server, proxy, cookie } = await behind(name)
      const events = await ask(`${proxy.url}/x/v1/events`, { headers: { cookie } })
      const [first] = (await once(events.setEncoding('utf8'), 'data')) as [string]
      expect(first).toMatch(/^retry: /)

      await post(server.url, cookie, '/v1/projects', { name: 'work', description: '' })
      await post(server.url, cookie, '/v1/disks?project=work', {
        name: 'disk',
        description: '',
        size: GiB,
        disk_backend: {
          type: 'distributed',
          disk_source: { type: 'importing_blocks', block_size: 512 },
        },
      })
      await post(server.url, cookie, '/v1/disks/disk/bulk-write-start?project=work', {})
      const piece = await ask(
        `${proxy.url}/x/v1/disks/disk/contents?project=work&offset=0`,
        {
          method: 'PUT',
          headers: { cookie, origin: proxy.url, 'content-type': 'application/octet-stream' },
        },
        new Uint8Array(RAW_CHUNK_MAX).fill(7),
      )
      expect(piece.statusCode).toBe(204)

      await post(server.url, cookie, '/v1/instances?project=work', {
        name: 'machine',
        description: '',
        hostname: 'machine',
        ncpus: 1,
        memory: GiB,
      })
      const machine = `${server.url}/v1/instances/machine?project=work`
      await expect
        .poll(async () => (await fetch(machine, { headers: { cookie } })).json())
        .toMatchObject({ run_state: 'running' })
      const stream = `${proxy.url.replace('http', 'ws')}/v1/instances/machine/serial-console/stream?project=work`
      const socket = new WebSocket(`${stream}&most_recent=0`, {
        ...trusting,
        origin: proxy.url,
        headers: { cookie },
      })
      onTestFinished(() => socket.terminate())
      await once(socket, 'open')
      let received = ''
      socket.on('message', (data: Buffer) => (received += data.toString()))
      socket.send(Buffer.from('echo hello\r'))
      await expect.poll(() => received).toContain('hello\r\n')
    },
  )
}
