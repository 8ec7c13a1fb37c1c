/** A server that is killed while it delivers an alert. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { FLEET_ID } from '@steading/api/rules'
import { expect, onTestFinished, test } from 'vitest'
import { migratedDirectory, signIn } from '../support/process.ts'
import { startHost } from './host-process.ts'
import { client } from './workload.ts'

const KILLS = 2

interface Delivery {
  id: string
  state: string
  attempts: { webhook: { attempt: number; result: string }[] }
}

test('an accepted alert is delivered, however often the server is killed meanwhile', async () => {
  /** Resolves with the next request. */
  let next = Promise.withResolvers<{ id: string; response: ServerResponse }>()
  const receiver = createServer((request, response) => {
    next.resolve({ id: request.headers['x-oxide-delivery-id'] as string, response })
    request.resume()
  })
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  const { port } = receiver.address() as AddressInfo
  const data = migratedDirectory()
  const start = () => startHost(data, undefined, { STEADING_WEBHOOK_NETWORKS: '127.0.0.1' })
  let host = await start()
  const cookie = await signIn(host.url)
  const created = await client(host.url, cookie)('POST', '/v1/webhook-receivers', {
    name: 'pager',
    description: '',
    endpoint: `http://127.0.0.1:${port}/`,
    secrets: ['sesame'],
    subscriptions: ['**'],
  })
  expect(created.status).toBe(201)
  await host.kill()
  const alert = crypto.randomUUID()
  const database = new DatabaseSync(join(data, 'steading.db'))
  database
    .prepare('insert into alert values (?, ?, ?, 0, ?, ?, ?)')
    .run(alert, FLEET_ID, 'hardware.power_shelf.psu.remove', '{}', '', new Date().toISOString())
  database.close()

  host = await start()
  const sent = await client(host.url, cookie)('POST', `/v1/alerts/${alert}/resend?receiver=pager`)
  expect(sent.status).toBe(201)
  const delivery = (sent.body as { delivery_id: string }).delivery_id
  for (let kill = 0; kill < KILLS; kill++) {
    expect((await next.promise).id).toBe(delivery)
    next = Promise.withResolvers()
    await host.kill()
    host = await start()
  }
  const { id, response } = await next.promise
  expect(id).toBe(delivery)
  response.end()
  const api = client(host.url, cookie)
  const deliveries = async () =>
    ((await api('GET', '/v1/alert-receivers/pager/deliveries')).body as { items: Delivery[] }).items
  await expect
    .poll(deliveries)
    .toMatchObject([{ id: delivery, state: 'delivered', attempts: { webhook: [{ attempt: 1 }] } }])
})
