/** The stream of changes: what it says, to whom, and how it goes on after a break. */
import { FLEET_ID } from '@steading/api/rules'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { blankDisk, sshKeyBody } from '../support/things.ts'
import type { Caller } from '../support/caller.ts'
import { EventStream } from '../support/event-stream.ts'
import { startTestServer, type TestServer, type User } from '../support/harness.ts'

/** How long the server trusts what it knows of a follower. */
const TRUST = 5_000

let server: TestServer
let member: User
let colleague: User
let stranger: User
let operator: User
let project: { id: string; name: string }

beforeAll(async () => {
  server = await startTestServer()
  const elsewhere = await server.createSilo('elsewhere')
  project = await server.admin.call('project_create', { body: { name: 'web', description: '' } })
  member = await server.createUser('member', { projects: { [project.id]: 'viewer' } })
  colleague = await server.createUser('colleague')
  stranger = await server.createUser('stranger', { silo: 'admin' }, elsewhere)
  operator = await server.createUser('operator', { fleet: 'viewer' }, elsewhere)
})
afterAll(() => server.close())

const opened: EventStream[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(opened.splice(0).map((stream) => stream.close()))
})

async function follow(caller: Caller, lastEventId?: string | number): Promise<EventStream> {
  const stream = new EventStream(
    await caller.fetch('/x/v1/events', {
      headers: lastEventId === undefined ? {} : { 'last-event-id': String(lastEventId) },
    }),
  )
  opened.push(stream)
  return stream
}

const describeProject = (description: string = crypto.randomUUID()) =>
  server.admin.call('project_update', { params: { project: 'web' }, body: { description } })
const addKey = ({ caller }: User | { caller: Caller }, name = `k-${crypto.randomUUID()}`) =>
  caller.call('current_user_ssh_key_create', { body: sshKeyBody(name) })

describe('the stream', () => {
  test('is server-sent events, with a word on when to come back', async () => {
    const stream = await follow(server.admin)
    const { status, headers } = stream.response
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/event-stream')
    expect(headers.get('content-encoding')).toBeNull()
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(await stream.block()).toEqual(['retry: 1000'])
  })

  test('tells of a change with everything needed to know what changed', async () => {
    const stream = await follow(member.caller)
    await stream.block()
    const before = Date.now()
    await describeProject()
    const [id, event, data, ...rest] = (await stream.block())!
    expect([event, rest]).toEqual(['event: change', []])
    const change = JSON.parse(data!.replace('data: ', '')) as { id: number; time: string }
    expect(id).toBe(`id: ${change.id}`)
    expect(change).toEqual({
      id: change.id,
      time: change.time,
      resource: 'projects',
      action: 'update',
      resource_id: project.id,
      name: 'web',
      project_id: project.id,
      silo_id: server.siloId,
    })
    expect(Date.parse(change.time)).toBeGreaterThanOrEqual(before - 1)
  })

  test('tells of everything, in order, and nothing twice', async () => {
    const stream = await follow(server.admin)
    const { id } = await server.admin.call('project_create', {
      body: { name: 'ordered', description: '' },
    })
    const policy = { params: { project: 'ordered' }, body: { role_assignments: [] } }
    await server.admin.call('project_policy_update', policy)
    const key = await addKey({ caller: server.admin }, 'ordered')
    await server.admin.call('current_user_ssh_key_delete', { params: { ssh_key: 'ordered' } })
    const system = await server.admin.call('system_policy_view')
    await server.admin.call('system_policy_update', { body: system })

    const changes = []
    for (let count = 0; count < 6; count++) changes.push(await stream.change())
    expect(
      changes.map(({ resource, action, resource_id }) => [resource, action, resource_id]),
    ).toEqual([
      ['vpcs', 'create', expect.any(String)],
      ['projects', 'create', id],
      ['policies', 'update', id],
      ['ssh-keys', 'create', key.id],
      ['ssh-keys', 'delete', key.id],
      ['policies', 'update', FLEET_ID],
    ])
    const ids = changes.map((change) => change.id)
    expect(ids).toEqual(ids.toSorted((a, b) => a - b))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('says nothing of what was refused', async () => {
    const stream = await follow(server.admin)
    await server.admin.refusal('project_create', { body: { name: 'web', description: '' } })
    await server.admin.refusal('project_delete', { params: { project: 'web' } })
    const key = await addKey({ caller: server.admin })
    expect(await stream.change()).toMatchObject({ resource_id: key.id })
  })

  test('serves many at once', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, () => follow(member.caller)))
    await describeProject()
    const changes = await Promise.all(streams.map((stream) => stream.change()))
    expect(new Set(changes.map(({ id }) => id)).size).toBe(1)
  })

  test('is for those who are signed in', async () => {
    expect(await server.anonymous.refusal('event_stream')).toMatchObject({ status: 401 })
  })
})

describe('coming back', () => {
  test('goes on after the last event that was had', async () => {
    const first = await follow(member.caller)
    await describeProject()
    const had = await first.change()
    await first.close()
    await describeProject()
    await describeProject()
    const again = await follow(member.caller, had.id)
    const [one, two] = [await again.change(), await again.change()]
    expect([one.id, two.id].every((id) => id > had.id)).toBe(true)
    await describeProject()
    expect((await again.change()).id).toBeGreaterThan(two.id)
  })

  test('to what is not known any more starts afresh', async () => {
    const stream = await follow(member.caller, 999_999_999)
    expect(await stream.next()).toEqual({ event: 'reset', data: {} })
    await describeProject()
    expect(await stream.change()).toMatchObject({ resource: 'projects' })
  })

  test('to an outbox that has been cleared starts afresh', async () => {
    const first = await follow(member.caller)
    await describeProject()
    const { id } = await first.change()
    await describeProject()
    await describeProject()
    await server.db
      .deleteFrom('event')
      .where('id', '<=', id + 1)
      .execute()
    const stream = await follow(member.caller, id)
    expect(await stream.next()).toEqual({ event: 'reset', data: {} })
    // Just after the gap nothing is missing.
    const complete = await follow(member.caller, id + 1)
    expect(await complete.change()).toMatchObject({ resource: 'projects' })
  })

  test.each(['x', '-1', '1.5', '9'.repeat(30)])('after %s is refused', async (id) => {
    const { status, message } = await member.caller.refused('GET', '/x/v1/events', {
      headers: { 'last-event-id': id },
    })
    expect(status).toBe(400)
    expect(message).toMatch(/^bad value for header "last-event-id": .*: /)
  })
})

describe('everybody is told what they may read', () => {
  /** The names of the people who hear of a change first, before another that all of them hear. */
  async function hearers(work: () => Promise<{ id: string }>): Promise<string[]> {
    const people = { member, colleague, stranger, operator, admin: { caller: server.admin } }
    const streams = await Promise.all(
      Object.entries(people).map(
        async ([name, { caller }]) => [name, await follow(caller)] as const,
      ),
    )
    const { id } = await work()
    const heard: string[] = []
    // Both silos have a key added: one of the two every stream is told of.
    await addKey(colleague, `end-${id}`)
    await addKey(stranger, `end-${id}`)
    for (const [name, stream] of streams) {
      for (;;) {
        const change = await stream.change()
        if (change.name === `end-${id}`) break
        if (change.resource_id === id && !heard.includes(name)) heard.push(name)
      }
    }
    return heard.sort()
  }

  test('a project by those who may read it', async () => {
    expect(await hearers(async () => describeProject())).toEqual(['admin', 'member'])
  })

  test('what is in a project likewise', async () => {
    const body = blankDisk('data')
    expect(
      await hearers(() => server.admin.call('disk_create', { query: { project: 'web' }, body })),
    ).toEqual(['admin', 'member'])
  })

  test('what is in a silo by everybody there', async () => {
    expect(await hearers(() => addKey(colleague))).toEqual(['admin', 'colleague', 'member'])
    expect(await hearers(() => addKey(stranger))).toEqual(['operator', 'stranger'])
  })

  test('the fleet by its viewers', async () => {
    const body = await server.admin.call('system_policy_view')
    expect(
      await hearers(async () => {
        await server.admin.call('system_policy_update', { body })
        return { id: FLEET_ID }
      }),
    ).toEqual(['admin', 'operator'])
  })
})

describe('what a follower may read is asked again', () => {
  function stopClock() {
    const start = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    return () => void vi.setSystemTime(start + TRUST)
  }

  test('after a while', async () => {
    const later = stopClock()
    const { id, caller } = await server.createUser('newcomer')
    const stream = await follow(caller)
    await stream.block()
    await describeProject('not yet')
    const body = {
      role_assignments: [
        { identity_type: 'silo_user' as const, identity_id: id, role_name: 'viewer' as const },
        {
          identity_type: 'silo_user' as const,
          identity_id: member.id,
          role_name: 'viewer' as const,
        },
      ],
    }
    await server.admin.call('project_policy_update', { params: { project: 'web' }, body })
    later()
    await describeProject('now')
    const changes = [await stream.change()]
    while (changes.at(-1)!.resource !== 'projects') changes.push(await stream.change())
    expect(changes.at(-1)).toMatchObject({ resource: 'projects', resource_id: project.id })
  })

  test('and a session that is gone ends the stream', async () => {
    const later = stopClock()
    const { caller } = await server.createUser('leaver', { projects: { [project.id]: 'viewer' } })
    const stream = await follow(caller)
    await describeProject()
    await stream.change()
    await caller.call('logout')
    later()
    await describeProject()
    expect(await stream.next()).toBeUndefined()
  })
})

test('a server that closes ends its streams', async () => {
  const passing = await startTestServer()
  const stream = new EventStream(await passing.admin.fetch('/x/v1/events'))
  await stream.block()
  await passing.close()
  expect(await stream.next()).toBeUndefined()
})
