/** Servers that are killed while they download an image, convert it and clean up. */
import { setTimeout as pause } from 'node:timers/promises'
import type { Wire } from '@steading/api'
import { RAW_CHUNK_MAX } from '@steading/api/rules'
import { expect, inject, onTestFinished, test } from 'vitest'
import {
  noise,
  sha256,
  startImageServer,
} from '../../../control-plane/test/support/image-server.ts'
import { long } from '../../../control-plane/test/support/long.ts'
import { random } from '../../../control-plane/test/support/random.ts'
import { createDatabase } from '../support/database.ts'
import { migratedDirectory, signIn, temporaryDirectory } from '../support/process.ts'
import { startHost } from './host-process.ts'
import { client } from './workload.ts'

/** The second kill is after a cancellation. */
const KILLS = long ? 3 : 2
const variables = { STEADING_IMAGE_NETWORKS: '127.0.0.1' }
const path = '/x/v1/image-downloads'

/**
 * Downloads an image, and cancels another download, while servers are killed.
 * @param servers on one database
 */
async function downloadDespiteKills(data: string, servers: number, databaseUrl?: string) {
  const images = await startImageServer()
  onTestFinished(images.close)
  const bytes = noise(6 * RAW_CHUNK_MAX)
  let allowed = RAW_CHUNK_MAX + 1
  // Answers stop in the middle, until the test lets them go on.
  images.answers['/image.raw'] = (response, { headers }) => {
    let at = Number(/\d+/.exec(headers.range ?? '')?.[0] ?? 0)
    response.writeHead(at > 0 ? 206 : 200, {
      etag: '"one"',
      'content-length': bytes.length - at,
      'content-range': `bytes ${at}-${bytes.length - 1}/${bytes.length}`,
    })
    const more = () => {
      if (at < allowed) response.write(bytes.subarray(at, allowed))
      at = Math.max(at, allowed)
      if (at >= bytes.length) response.end()
    }
    const timer = setInterval(more, 10)
    response.on('close', () => clearInterval(timer))
  }
  const hosts = await Promise.all(
    Array.from({ length: servers }, () => startHost(data, databaseUrl, variables)),
  )
  const cookie = await signIn(hosts[0]!.url)
  let living = 0
  const call = (method: string, its: string, body?: object) =>
    client(hosts[living]!.url, cookie)(method, its, body)
  await call('POST', '/v1/projects', { name: 'work', description: '' })
  const create = async (name: string): Promise<Wire.ImageDownload> => {
    const { status, body } = await call('POST', `${path}?project=work`, {
      name,
      description: '',
      os: 'Plan 9',
      version: '4',
      url: `${images.url}/image.raw`,
      checksum: { type: 'sha256', value: sha256(bytes) },
    })
    expect(status).toBe(201)
    return body as Wire.ImageDownload
  }
  const view = async (id: string) => (await call('GET', `${path}/${id}`)).body as Wire.ImageDownload
  const { id } = await create('survivor')
  const { id: cancelled } = await create('cancelled')
  for (let kill = 0; kill < KILLS; kill++) {
    await expect
      .poll(async () => (await view(id)).received, { interval: 20 })
      .toBeGreaterThanOrEqual(kill * RAW_CHUNK_MAX)
    allowed += RAW_CHUNK_MAX
    await pause(random() * 100)
    if (kill === 1) await call('POST', `${path}/${cancelled}/cancel`)
    const victim = kill % servers
    await hosts[victim]!.kill()
    living = (victim + 1) % servers
    hosts[victim] = await startHost(data, databaseUrl, variables)
  }
  allowed = bytes.length
  await expect
    .poll(() => view(id), { interval: 50 })
    .toMatchObject({ state: 'ready', received: bytes.length })
  expect(images.asked['/image.raw']!.length).toBeGreaterThanOrEqual(KILLS)
  const left = async (kind: string) =>
    ((await call('GET', `/v1/${kind}?project=work`)).body as { items: object[] }).items
  await expect.poll(() => left('disks'), { interval: 50 }).toEqual([])
  expect(await left('snapshots')).toEqual([])
  return (await left('images')) as Wire.Image[]
}

const survivor = [expect.objectContaining({ name: 'survivor' })]

test('an image is downloaded and verified, however often the server is killed', async () => {
  expect(await downloadDespiteKills(migratedDirectory(), 1)).toEqual(survivor)
})

test.runIf(inject('postgresUrl'))('another server goes on with a download @long', async () => {
  const databaseUrl = await createDatabase()
  expect(await downloadDespiteKills(temporaryDirectory(), 2, databaseUrl)).toEqual(survivor)
})
