/** Control plane specification 1.3: requests and answers of clients of each version. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Answer } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { addPool } from '../support/networks.ts'
import { reaches, smallInstance } from '../support/things.ts'

let server: TestServer

beforeAll(async () => {
  server = await startTestServer()
  await server.admin.call('project_create', { body: { name: 'web', description: '' } })
  const { db, siloId } = server
  await addPool(db, 'few', { first: '198.51.100.1', last: '198.51.100.99', siloId })
})
afterAll(() => server.close())

/** No header; 2026-02 (CLI 0.15, Go 0.8), 2026-03, 2026-06 (CLI 0.17, Go 0.10), 2026-07, console. */
const inUse = [
  undefined,
  '2026021301.0.0',
  '2026032500.0.0',
  '2026060800.0.0',
  '2026073100.0.0',
  '2026081700.0.0',
] as const
type Version = string | undefined
const since = (version: Version, change: number) =>
  version !== undefined && Number.parseInt(version, 10) >= change

const send = (version: Version, method: string, path: string, body?: object): Promise<Answer> =>
  server.admin.send(method, path, {
    body,
    headers: version === undefined ? {} : { 'api-version': version },
  })

let count = 0
const fresh = () => `thing-${count++}`
const stopped = async (values: object = {}) => {
  const { id } = await server.admin.call('instance_create', {
    query: { project: 'web' },
    body: smallInstance(fresh(), values),
  })
  return reaches(server.admin, id, 'stopped')
}
const messageOf = ({ body }: Answer) => (body as { message: string }).message

/**
 * Whether an old spelling is accepted, which is before the version that ended it, or without one.
 */
async function expectOldSpelling(version: Version, until: number, missing: string, sent: Answer) {
  if (!since(version, until)) {
    expect(sent.status, messageOf(sent)).toBeLessThan(300)
    return
  }
  expect(sent.status).toBe(400)
  expect(messageOf(sent)).toContain(missing)
}

describe.each(inUse)('a client of version %s', (version) => {
  test('creates, views and lists like every client', async () => {
    const disk = {
      name: fresh(),
      description: '',
      size: 2 ** 30,
      disk_backend: { type: 'distributed', disk_source: { type: 'blank', block_size: 512 } },
    }
    expect((await send(version, 'POST', '/v1/disks?project=web', disk)).status).toBe(201)
    const instance = smallInstance(fresh(), { disks: [{ type: 'attach', name: disk.name }] })
    expect((await send(version, 'POST', '/v1/instances?project=web', instance)).status).toBe(201)
    for (const path of ['instances', 'disks', 'vpcs', 'snapshots', 'floating-ips']) {
      const { status } = await send(version, 'GET', `/v1/${path}?project=web`)
      expect(`${path} ${status}`).toBe(`${path} 200`)
    }
  })

  test('updates an instance with or without jumbo frames, as its version requires', async () => {
    const { id, name: _, ...instance } = await stopped()
    const { ncpus, memory } = instance
    const update = {
      ncpus: ncpus + 1,
      memory,
      boot_disk: null,
      auto_restart_policy: 'never',
      cpu_platform: null,
    }
    const path = `/v1/instances/${id}`
    const answer = await send(version, 'PUT', path, update)
    await expectOldSpelling(version, 2026060500, 'missing field `enable_jumbo_frames`', answer)
    if (answer.status === 200) {
      expect(answer.body).toMatchObject({ ncpus: ncpus + 1, enable_jumbo_frames: false })
    }
    const said = await send(version, 'PUT', path, { ...update, enable_jumbo_frames: false })
    expect(said).toMatchObject({ status: 200, body: { ncpus: ncpus + 1 } })
    const wanted = await send(version, 'PUT', path, { ...update, enable_jumbo_frames: true })
    expect(messageOf(wanted)).toMatch(/^enable_jumbo_frames may only be set to true/)
    // Every other field has to be sent in every version.
    const { auto_restart_policy: __, ...less } = update
    const short = await send(version, 'PUT', path, { ...less, enable_jumbo_frames: false })
    expect(messageOf(short)).toContain('missing field `auto_restart_policy`')
  })

  test('has to send the shapes of its version', async () => {
    const disk = {
      name: fresh(),
      description: '',
      size: 2 ** 30,
      disk_source: { type: 'blank', block_size: 512 },
    }
    const made = await send(version, 'POST', '/v1/disks?project=web', disk)
    await expectOldSpelling(version, 2026010300, 'missing field `disk_backend`', made)
    const { id } = await stopped()
    const network = smallInstance(fresh(), { network_interfaces: { type: 'default' } })
    const instance = await send(version, 'POST', '/v1/instances?project=web', network)
    await expectOldSpelling(version, 2026010300, 'unknown variant `default`', instance)
    // A field unknown to newer clients is ignored: the address comes from the default pool.
    const ephemeral = `/v1/instances/${id}/external-ips/ephemeral`
    const attached = await send(version, 'POST', ephemeral, { pool: 'few' })
    expect(attached.status).toBe(202)
    const { ip } = attached.body as { ip: string }
    expect(ip.startsWith('198.51.100.')).toBe(!since(version, 2026010500))
    const floating = { name: fresh(), description: '', pool: 'few' }
    const reserved = await send(version, 'POST', '/v1/floating-ips?project=web', floating)
    expect(reserved.status).toBe(201)
    const address = (reserved.body as { ip: string }).ip
    expect(address.startsWith('198.51.100.')).toBe(!since(version, 2026012200))
  })

  test('gets an error for a CPU platform it cannot know', async () => {
    const { id } = await stopped({ cpu_platform: 'amd_turin_v2' })
    const knows = version === undefined || since(version, 2026060800)
    for (const path of [`/v1/instances/${id}`, '/v1/instances?project=web&limit=1000']) {
      const answer = await send(version, 'GET', path)
      expect(answer.status).toBe(knows ? 200 : 406)
      if (!knows) {
        expect(answer.body).toMatchObject({
          error_code: 'Not Acceptable',
          message: 'CPU platform amd_turin_v2 not supported for client version',
        })
      }
    }
    await server.admin.call('instance_delete', { params: { instance: id } })
  })
})

test('accepts an interface in the spelling from before dual stack', async () => {
  const { id } = await stopped({
    network_interfaces: {
      type: 'create',
      params: [
        {
          name: 'net0',
          description: '',
          vpc_name: 'default',
          subnet_name: 'default',
          ip: '172.30.0.77',
        },
      ],
    },
  })
  const path = `/v1/network-interfaces?instance=${id}`
  const get = async (version: Version) =>
    (
      await server.admin.fetch(path, {
        headers: version === undefined ? {} : { 'api-version': version },
      })
    ).json() as Promise<any>
  for (const version of inUse) {
    const [nic] = (await get(version)).items
    expect(nic.ip_stack).toMatchObject({ type: 'v4', value: { ip: '172.30.0.77' } })
  }
})

test('shows the use of a subnet pool as allocated, or as remaining', async () => {
  const { id } = await server.admin.call('system_subnet_pool_create', {
    body: { name: 'pool', description: '', ip_version: 'v4' },
  })
  await server.admin.call('system_subnet_pool_member_add', {
    params: { pool: id },
    body: { subnet: '203.0.113.0/24', min_prefix_length: 24, max_prefix_length: 28 },
  })
  const path = `/v1/system/subnet-pools/${id}/utilization`
  const { body: now } = await send(undefined, 'GET', path)
  expect(now).toEqual({ capacity: expect.any(Number), remaining: expect.any(Number) })
  const { capacity, remaining } = now as { capacity: number; remaining: number }
  for (const version of inUse) {
    const isOld = version !== undefined && !since(version, 2026032300)
    const headers: Record<string, string> = version ? { 'api-version': version } : {}
    const answer = await server.admin.fetch(path, { headers })
    expect(await answer.json()).toEqual(isOld ? { capacity, allocated: capacity - remaining } : now)
  }
})

test('series in joules have no unit for clients that do not know it', async () => {
  for (const version of inUse) {
    const path = '/v1/system/timeseries/schemas?limit=1000'
    const { items } = (await send(version, 'GET', path)).body as { items: { units: string }[] }
    const knows = version === undefined || since(version, 2026060800)
    expect(items.some(({ units }) => units === 'joules')).toBe(knows)
  }
})
