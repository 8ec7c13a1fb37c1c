/** Servers that are killed while disks are deleted, restored and released: none is lost. */
import { setTimeout as pause } from 'node:timers/promises'
import { GiB } from '@steading/api/rules'
import { expect, inject, test } from 'vitest'
import { long } from '../../../control-plane/test/support/long.ts'
import { random } from '../../../control-plane/test/support/random.ts'
import { createDatabase } from '../support/database.ts'
import { migratedDirectory, signIn, temporaryDirectory } from '../support/process.ts'
import { startHost } from './host-process.ts'
import { client, listAll } from './workload.ts'

const KILLS = long ? 8 : 2
const DISKS = 4
/** Milliseconds in which a server is killed after the calls began. */
const MOMENT_MS = 60

/**
 * Deletes, restores and releases disks of instances, and kills a server meanwhile.
 * @param servers on one database
 * @returns the disks in the end, and those that no call has released
 */
async function deleteDespiteKills(data: string, servers: number, databaseUrl?: string) {
  const hosts = await Promise.all(
    Array.from({ length: servers }, () => startHost(data, databaseUrl)),
  )
  const cookie = await signIn(hosts[0]!.url)
  const api = (host = 0) => client(hosts[host]!.url, cookie)
  await api()('POST', '/v1/projects', { name: 'work', description: '' })
  await api()('PUT', '/x/v1/deletion-policy', { restorable_hours: 1 })
  const disk_source = { type: 'blank', block_size: 512 }
  const ids: string[] = []
  for (let index = 0; index < DISKS; index++) {
    const { status, body } = await api()('POST', '/v1/disks?project=work', {
      name: `disk-${index}`,
      description: '',
      size: GiB,
      disk_backend: { type: 'distributed', disk_source },
    })
    expect(status).toBe(201)
    ids.push(body.id)
  }
  const present = async () => (await listAll(api(), 'disks')).map(({ id }) => id as string)
  const kept = async () => {
    const { body } = await api()('GET', '/x/v1/deleted-resources?project=work&limit=1000')
    return body.items.map(({ id }: { id: string }) => id) as string[]
  }
  await expect
    .poll(async () => (await listAll(api(), 'disks')).map(({ state }) => state.state))
    .toEqual(ids.map(() => 'detached'))

  const released = new Set<string>()
  for (let kill = 0; kill < KILLS; kill++) {
    const victim = kill % servers
    const asking = api((kill + 1) % servers)
    // One disk is released at most in each round; the others come and go.
    const [last, ...others] = ids.filter((id) => !released.has(id)).toReversed()
    const cut = () => undefined
    const calls = [
      ...others.map(async (id) => {
        await asking('DELETE', `/v1/disks/${id}`)
        await asking('POST', `/x/v1/deleted-resources/${id}/restore`, {})
      }),
      (async () => {
        await asking('DELETE', `/v1/disks/${last}`)
        const { status } = await asking('DELETE', `/x/v1/deleted-resources/${last}`)
        if (status === 204) released.add(last!)
      })(),
    ].map((one) => one.catch(cut))
    await pause(random() * MOMENT_MS)
    await hosts[victim]!.kill()
    await Promise.all(calls)
    hosts[victim] = await startHost(data, databaseUrl)
    const [there, restorable] = [await present(), await kept()]
    // Each disk is there or can be restored, never both; an acknowledged end is one.
    for (const id of there) expect(restorable).not.toContain(id)
    for (const id of released) expect([...there, ...restorable]).not.toContain(id)
    const { body } = await api()('GET', '/v1/utilization')
    expect(body.provisioned.storage).toBe(there.length * GiB)
    for (const id of ids) {
      if (!there.includes(id) && !restorable.includes(id)) released.add(id)
    }
  }
  // Whatever is left can be restored, and its bytes are there.
  for (const id of await kept()) {
    const { status } = await api()('POST', `/x/v1/deleted-resources/${id}/restore`, {})
    expect(status).toBe(200)
  }
  const left = await present()
  for (const id of left) {
    const response = await fetch(`${hosts[0]!.url}/x/v1/disks/${id}/contents`, {
      headers: { cookie, range: 'bytes=0-511' },
    })
    expect(response.status).toBe(206)
    await response.arrayBuffer()
  }
  return { left, due: ids.filter((id) => !released.has(id)) }
}

const sorted = ({ left, due }: { left: string[]; due: string[] }) => ({
  left: left.toSorted(),
  due: due.toSorted(),
})

test(`deleted disks are there or restorable after ${KILLS} kills of their server`, async () => {
  const { left, due } = sorted(await deleteDespiteKills(migratedDirectory(), 1))
  expect(left).toEqual(due)
})

test.runIf(inject('postgresUrl'))(
  `deleted disks are there or restorable after ${KILLS} kills of either server @long`,
  async () => {
    const databaseUrl = await createDatabase()
    const { left, due } = sorted(await deleteDespiteKills(temporaryDirectory(), 2, databaseUrl))
    expect(left).toEqual(due)
  },
)
