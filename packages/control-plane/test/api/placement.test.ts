/** Control plane specification section 9: the placement of instances on the four sleds. */
import fc from 'fast-check'
import { GiB } from '@steading/api/rules'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Caller, Refusal } from '../support/caller.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { reaches, smallInstance } from '../support/things.ts'
import { long } from '../support/long.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }

beforeAll(async () => {
  server = await startTestServer({ autoRestartCooldownMs: 3_600_000 })
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
})
afterAll(() => server.close())

let running: string[] = []
/** Each test begins with empty sleds. */
beforeEach(async () => {
  for (const id of running) await stop(id)
  running = []
})

let count = 0
const fresh = () => `thing-${count++}`

async function create(values: object = {}): Promise<string> {
  const { id } = await admin.call('instance_create', {
    query,
    body: smallInstance(fresh(), { network_interfaces: { type: 'none' }, ...values }),
  })
  await reaches(admin, id, 'stopped')
  return id
}
async function start(id: string): Promise<string> {
  await admin.call('instance_start', { params: { instance: id } })
  running.push(id)
  return sledOf(id)
}
const refusedStart = (id: string) => admin.refusal('instance_start', { params: { instance: id } })
async function stop(id: string): Promise<void> {
  const { run_state } = await admin.call('instance_view', { params: { instance: id } })
  if (run_state === 'starting') await reaches(admin, id, 'running')
  await admin.call('instance_stop', { params: { instance: id } })
  await reaches(admin, id, 'stopped')
}

async function sledOf(id: string): Promise<string> {
  const row = await server.db
    .selectFrom('instance')
    .select('sled_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.sled_id!
}

const groupBody = (policy: 'allow' | 'fail') => ({
  name: fresh(),
  description: '',
  policy,
  failure_domain: 'sled' as const,
})
async function together(policy: 'allow' | 'fail', members: string[]): Promise<void> {
  const { id } = await admin.call('affinity_group_create', { query, body: groupBody(policy) })
  for (const instance of members) {
    await admin.call('affinity_group_member_instance_add', {
      params: { affinity_group: id, instance },
    })
  }
}
async function apart(policy: 'allow' | 'fail', members: string[]): Promise<string> {
  const { id } = await admin.call('anti_affinity_group_create', { query, body: groupBody(policy) })
  for (const instance of members) {
    await admin.call('anti_affinity_group_member_instance_add', {
      params: { anti_affinity_group: id, instance },
    })
  }
  return id
}

const some = async (length: number, values: object = {}): Promise<string[]> => {
  const ids: string[] = []
  for (let n = 0; n < length; n++) ids.push(await create(values))
  return ids
}

/** Used resources of sleds and the quota, which a refused start must not change. */
const taken = async () => ({
  sleds: await server.db
    .selectFrom('sled')
    .select(['slot', 'used_threads', 'used_ram'])
    .orderBy('slot')
    .execute(),
  quota: (await admin.call('utilization_view')).provisioned,
})
const nowhere = {
  status: 507,
  error_code: 'InsufficientCapacity',
  message:
    'Insufficient capacity: Failed to place instance: Could not find any valid sled on which this instance can be placed',
}

/** The error of a refused start, which must leave everything as it was. */
async function refusedWithoutTrace(id: string): Promise<Refusal> {
  const before = await taken()
  const refusal = await refusedStart(id)
  expect(await taken()).toEqual(before)
  expect(await admin.call('instance_view', { params: { instance: id } })).toMatchObject({
    run_state: 'stopped',
  })
  return refusal
}

describe('without groups', () => {
  test('instances go to the emptiest sled', async () => {
    const sleds = new Set<string>()
    for (const id of await some(4)) sleds.add(await start(id))
    expect(sleds.size).toBe(4)
    const [large, next] = await some(2, { ncpus: 8 })
    expect(await start(large!)).not.toBe(await start(next!))
  })

  test('refuses an instance larger than the remaining room', async () => {
    const [one, two, three, four, last] = await some(5, { ncpus: 100 })
    for (const id of [one, two, three, four]) await start(id!)
    expect(await refusedWithoutTrace(last!)).toEqual(nowhere)
    await stop(two!)
    await start(last!)
  })

  test('skips sleds that accept no new instances', async () => {
    const policy = (provision_policy: 'provisionable' | 'non_provisionable') =>
      server.db.updateTable('sled').set({ provision_policy }).where('slot', '!=', 0).execute()
    const ids = await some(3)
    await policy('non_provisionable')
    const sleds = new Set<string>()
    for (const id of ids) sleds.add(await start(id))
    await policy('provisionable')
    expect(sleds.size).toBe(1)
  })
})

describe('anti-affinity', () => {
  test('`fail`: each member has its own sled, and the fifth none', async () => {
    const members = await some(5)
    await apart('fail', members)
    const sleds = new Set<string>()
    for (const id of members.slice(0, 4)) sleds.add(await start(id))
    expect(sleds.size).toBe(4)
    expect(await refusedWithoutTrace(members[4]!)).toEqual(nowhere)
    const freed = await sledOf(members[2]!)
    await stop(members[2]!)
    expect(await start(members[4]!)).toBe(freed)
  })

  test('`allow`: members are apart as long as possible', async () => {
    const members = await some(5)
    await apart('allow', members)
    const [busy] = await some(1, { ncpus: 100 })
    await start(busy!)
    const sleds: string[] = []
    for (const id of members) sleds.push(await start(id))
    // Even the fullest sled is better than one with another member.
    expect(new Set(sleds.slice(0, 4)).size).toBe(4)
    expect(new Set(sleds).size).toBe(4)
  })

  test('refuses a start that follows creation, but creates the instance', async () => {
    const members = await some(4)
    const group = await apart('fail', members)
    for (const id of members) await start(id)
    const before = await taken()
    const { id } = await admin.call('instance_create', {
      query,
      body: smallInstance(fresh(), {
        network_interfaces: { type: 'none' },
        anti_affinity_groups: [group],
        start: true,
      }),
    })
    await reaches(admin, id, 'stopped')
    expect(await taken()).toEqual(before)
  })

  test('restarts a failed machine apart from the others', async () => {
    const members = await some(4)
    await apart('fail', members)
    for (const id of members) {
      await start(id)
      await reaches(admin, id, 'running')
    }
    const home = await sledOf(members[0]!)
    const { vm_id } = await server.db
      .selectFrom('instance')
      .select('vm_id')
      .where('id', '=', members[0]!)
      .executeTakeFirstOrThrow()
    await server.host.controlPlane.engines.machines.crash(vm_id!)
    await expect
      .poll(async () => {
        const view = await admin.call('instance_view', { params: { instance: members[0]! } })
        return view.run_state === 'running' && view.time_last_auto_restarted
      })
      .toBeTruthy()
    expect(await sledOf(members[0]!)).toBe(home)
  })
})

describe('affinity', () => {
  test('`fail`: members share a sled, or do not start', async () => {
    const [first, second] = await some(2)
    const [large] = await some(1, { ncpus: 127 })
    await together('fail', [first!, second!, large!])
    const sled = await start(first!)
    expect(await start(second!)).toBe(sled)
    expect(await refusedWithoutTrace(large!)).toEqual({
      status: 507,
      error_code: 'InsufficientCapacity',
      message:
        "Insufficient capacity: Failed to place instance: This instance must be placed on a specific sled to co-locate it with another instance in its affinity group, but that sled cannot current accept this instance. Consider stopping other instances in this instance's affinity groups, or changing its affinity group membership.",
    })
  })

  test('`allow`: members share a sled as long as possible', async () => {
    const [first, second] = await some(2)
    const [large] = await some(1, { ncpus: 127 })
    await together('allow', [first!, second!, large!])
    const sled = await start(first!)
    expect(await start(second!)).toBe(sled)
    expect(await start(large!)).not.toBe(sled)
  })

  test('`fail` of two groups on two sleds cannot be satisfied', async () => {
    const [one, two, torn] = await some(3)
    await together('fail', [one!, torn!])
    await together('fail', [two!, torn!])
    expect(await start(one!)).not.toBe(await start(two!))
    expect(await refusedWithoutTrace(torn!)).toEqual({
      status: 400,
      error_code: 'InvalidRequest',
      message:
        'Failed to place instance: This instance belongs to an affinity group that requires it be placed on more than one sled. Instances can only placed on a single sled, so this is impossible to satisfy. Consider stopping other instances in the affinity group.',
    })
  })
})

describe('both kinds', () => {
  test('that contradict each other are refused', async () => {
    const [other, torn] = await some(2)
    await together('fail', [other!, torn!])
    await apart('fail', [other!, torn!])
    await start(other!)
    expect(await refusedWithoutTrace(torn!)).toEqual({
      status: 400,
      error_code: 'InvalidRequest',
      message:
        'Failed to place instance: This instance belongs to an affinity group that requires it to be placed on a sled, but also belongs to an anti-affinity group that prevents it from being placed on that sled. These constraints are contradictory. Consider stopping instances in those affinity/anti-affinity groups, or changing group membership.',
    })
  })

  test('with `allow` cancel each other out, and yield to `fail`', async () => {
    const [other, torn, bound] = await some(3)
    await together('allow', [other!, torn!])
    await apart('allow', [other!, torn!])
    await together('allow', [other!, bound!])
    await apart('fail', [other!, bound!])
    const sled = await start(other!)
    // Neither preference counts, so the emptiest sled is chosen; that of the other has an instance.
    expect(await start(torn!)).not.toBe(sled)
    expect(await start(bound!)).not.toBe(sled)
  })
})

test('after any starts and stops, no sled is overfull and no `fail` group is violated', async () => {
  const ids: string[] = []
  for (const ncpus of [50, 50, 50, 50, 100, 100, 20, 20]) {
    ids.push(await create({ ncpus, memory: 4 * ncpus * GiB }))
  }
  const separate = [ids.slice(0, 3), ids.slice(2, 6)]
  const joined = [ids.slice(6, 8), [ids[0]!, ids[3]!]]
  for (const members of separate) await apart('fail', members)
  for (const members of joined) await together('fail', members)
  // A preference that contradicts all others, so that none is kept by chance.
  await together('allow', ids)

  const check = async () => {
    // In one transaction, because instances stop meanwhile.
    const [rows, sleds] = await server.host.controlPlane.database.transaction(async (tx) => [
      await tx
        .selectFrom('instance')
        .select(['id', 'sled_id', 'ncpus', 'memory'])
        .where('sled_id', 'is not', null)
        .execute(),
      await tx.selectFrom('sled').selectAll().execute(),
    ])
    for (const sled of sleds) {
      const on = rows.filter(({ sled_id }) => sled_id === sled.id)
      expect(sled.used_threads).toBe(on.reduce((sum, { ncpus }) => sum + ncpus, 0))
      expect(sled.used_ram).toBe(on.reduce((sum, { memory }) => sum + memory, 0))
      expect(sled.used_threads).toBeLessThanOrEqual(sled.usable_hardware_threads)
      expect(sled.used_ram).toBeLessThanOrEqual(sled.usable_physical_ram)
    }
    const sledsOf = (members: string[]) =>
      rows.filter(({ id }) => members.includes(id)).map(({ sled_id }) => sled_id)
    for (const members of separate) {
      const on = sledsOf(members)
      expect(new Set(on).size).toBe(on.length)
    }
    for (const members of joined) expect(new Set(sledsOf(members)).size).toBeLessThanOrEqual(1)
  }

  /** Concurrent starts and stops, with only documented refusals. */
  const mostly = fc.nat(3).map((n) => n > 0)
  const round = fc.array(fc.record({ who: fc.nat(ids.length - 1), up: mostly }), {
    minLength: 1,
    maxLength: 6,
  })
  await fc.assert(
    fc.asyncProperty(fc.array(round, { minLength: 1, maxLength: 5 }), async (rounds) => {
      for (const steps of rounds) {
        const answers = await Promise.all(
          steps.map(({ who, up }) =>
            admin.send('POST', `/v1/instances/${ids[who]!}/${up ? 'start' : 'stop'}`),
          ),
        )
        for (const { status } of answers) expect([202, 400, 409, 507]).toContain(status)
        await check()
      }
      for (const id of ids) await stop(id)
      await check()
    }),
    { numRuns: long ? 10 : 3 },
  )
})
