/** A server that is killed while it collects a support bundle, and while it deletes one. */
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { migratedDirectory, signIn } from '../support/process.ts'
import { startHost } from './host-process.ts'
import { client } from './workload.ts'

const KILLS = 2
const path = '/v1/system/support-bundles'

test('a bundle is collected, and its bytes are deleted, however often the server is killed', async () => {
  const data = migratedDirectory()
  let host = await startHost(data)
  const cookie = await signIn(host.url)
  const call = (method: string, its: string, body?: object) =>
    client(host.url, cookie)(method, its, body)
  const create = async () => {
    const created = await call('POST', path, { user_comment: 'killed' })
    expect(created.status).toBe(201)
    return (created.body as { id: string }).id
  }
  const restart = async () => {
    await host.kill()
    host = await startHost(data)
  }
  const state = async (id: string) =>
    ((await call('GET', `${path}/${id}`)).body as { state?: string }).state
  const ids: string[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    ids.push(await create())
    await restart()
  }
  for (const id of ids) {
    await expect.poll(() => state(id)).toBe('active')
    const answer = await fetch(`${host.url}${path}/${id}/download/manifest.json`, {
      headers: { cookie },
    })
    expect(((await answer.json()) as { bundle: string }).bundle).toBe(id)
  }
  for (const id of ids) {
    expect((await call('DELETE', `${path}/${id}`)).status).toBe(204)
    await restart()
  }
  for (const id of ids) {
    await expect.poll(async () => (await call('GET', `${path}/${id}`)).status).toBe(404)
  }
  // Leftovers of the killed servers are removed by the first full check.
  const volumes = () => {
    const database = new DatabaseSync(join(data, 'steading.db'), { readOnly: true })
    const rows = database.prepare('select id from volume').all()
    database.close()
    return rows
  }
  await expect.poll(volumes).toEqual([])
})
