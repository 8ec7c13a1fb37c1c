/** Control plane specification 6.7: history and stream of the serial console. */
import { CONSOLE_WINDOW, consoleEndings, CONSOLES_MAX } from '@steading/api/rules'
import { get } from 'node:http'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { Caller, overHttp } from '../../support/caller.ts'
import { stopClocks } from '../../support/clock.ts'
import { following, plain, viewConsole, type ViewOptions } from '../../support/console.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { reaches, smallInstance } from '../../support/things.ts'

let server: TestServer
let admin: Caller
let id: string
const query = { project: 'work' }

beforeAll(async () => {
  server = await startTestServer()
  // Calls come after what the sockets have shown before.
  overHttp(server)
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
  const created = await admin.call('instance_create', {
    query,
    body: smallInstance('terminal', { start: true }),
  })
  id = created.id
  await reaches(admin, id, 'running')
})
afterAll(() => server.close())

const text = (data: number[]) => new TextDecoder().decode(Uint8Array.from(data))
const history = (values: object) =>
  admin.call('instance_serial_console', { params: { instance: id }, query: values })

const view = (caller: Caller, options?: ViewOptions, instance = id) =>
  viewConsole(server.url, caller, instance, options)

const newest = { most_recent: '0' }
const prompt = 'terminal:~# '

test('the history starts with the boot log and is cut as requested', async () => {
  const whole = await history({ from_start: 0 })
  expect(text(whole.data)).toContain('reached target multi-user')
  expect(whole.last_byte_offset).toBe(whole.data.length)
  const part = await history({ from_start: 10, max_bytes: 5 })
  expect(part).toEqual({ data: whole.data.slice(10, 15), last_byte_offset: 15 })
  const end = await history({ most_recent: 7 })
  expect(end).toEqual({ data: whole.data.slice(-7), last_byte_offset: whole.data.length })
})

test.each([{}, { from_start: 0, most_recent: 1 }])('the history refuses %j', async (values) => {
  const refusal = await admin.refusal('instance_serial_console', {
    params: { instance: id },
    query: values,
  })
  expect(refusal.status).toBe(400)
})

test('two viewers see the same, both can type, and the history keeps it', async () => {
  const [typist, watcher] = [view(admin), view(admin, { query: newest })]
  await Promise.all([typist.opened, watcher.opened])
  typist.type('printf hello there\\n\r')
  await expect.poll(watcher.seen).toContain('there\r\nterminal')
  watcher.type('printf general\\n\r')
  await expect.poll(watcher.seen).toMatch(/general\r\nterminal:~# $/)
  await expect.poll(typist.seen).toContain(watcher.seen())
  expect(typist.seen()).toContain('multi-user')
  expect(watcher.seen()).not.toContain('multi-user')
  expect(text((await history({ most_recent: 200 })).data)).toContain('hello there')
})

test('echoes keys as a terminal does, and protects the prompt', async () => {
  const viewer = view(admin, { query: newest })
  await viewer.opened
  viewer.type('\x7fab\x7f\x7f\x7f\x7f\x7fé\x03')
  await expect.poll(viewer.seen).toBe('ab\b\x1b[J\b\x1b[Jé^C\r\nterminal:~# ')
})

describe('the shell of a simulated guest', () => {
  test.each([
    ['seq 3', '1\r\n2\r\n3\r\n'],
    ['seq 9 10', '9\r\n10\r\n'],
    ['seq many', 'usage: seq [FIRST] LAST\r\n'],
    [String.raw`printf 'a\x21\tb\\c\n'`, 'a!\tb\\c\r\n'],
    ['', ''],
    ['make hay', 'sh: make: not found\r\n'],
    ['toString', 'sh: toString: not found\r\n'],
  ])('answers %j', async (line, answer) => {
    const viewer = view(admin, { query: newest })
    await viewer.opened
    viewer.type(`${line}\r`)
    await expect.poll(viewer.seen).toBe(`${line}\r\n${answer}${prompt}`)
  })

  test('runs a command until it is interrupted, then handles the keys typed meanwhile', async () => {
    const viewer = view(admin, { query: newest })
    await viewer.opened
    viewer.type('yes\r')
    await expect.poll(viewer.bytes).toBeGreaterThan(100_000)
    viewer.type('\x03seq 2\r')
    await expect
      .poll(viewer.seen)
      .toMatch(/y\r\n\^C\r\nterminal:~# seq 2\r\n1\r\n2\r\nterminal:~# $/)
    viewer.type('seq 100000\rprintf done\r')
    await expect
      .poll(viewer.seen)
      .toMatch(/\r\n100000\r\nterminal:~# printf done\r\ndoneterminal:~# $/)
  })
})

describe('a viewer that acknowledges output', () => {
  const follow = (values: ViewOptions = {}) => view(admin, { prefix: following, ...values })

  test('gets its offset, and continues there after a lost connection', async () => {
    const first = follow({ query: newest })
    await first.opened
    await vi.waitFor(() => expect(first.places).toHaveLength(1), 30_000)
    const [place] = first.places
    const { last_byte_offset } = await history({ most_recent: 0 })
    expect(place).toEqual({ boot: expect.any(String), offset: last_byte_offset })
    first.type('seq 3\r')
    await expect.poll(first.seen).toMatch(/3\r\nterminal:~# $/)
    first.socket.terminate()
    const other = view(admin, { query: newest })
    await other.opened
    other.type('seq 4 5\r')
    await expect.poll(other.seen).toMatch(/5\r\nterminal:~# $/)

    const offset = place!.offset + first.bytes()
    const again = follow({ query: { boot: place!.boot, from_start: String(offset) } })
    await again.opened
    await expect.poll(again.seen).toBe(other.seen())
    expect(again.places).toEqual([{ boot: place!.boot, offset }])
  })

  test('is waited for when it is the only one, so that it misses nothing', async () => {
    const lone = follow({ query: newest, takes: false })
    await lone.opened
    lone.type('seq 300000\r')
    await expect.poll(lone.bytes).toBeGreaterThanOrEqual(CONSOLE_WINDOW)
    const take = () => void lone.take()
    lone.socket.on('message', take)
    take()
    await expect.poll(lone.seen).toMatch(/\r\n300000\r\nterminal:~# $/)
    expect(lone.places).toHaveLength(1)
    expect(lone.seen().split('\r\n')).toHaveLength(300_002)
  })

  test('does not hold up others by reading nothing, and learns what it missed', async () => {
    const slow = follow({ query: newest, takes: false })
    const fast = follow({ query: newest })
    await Promise.all([slow.opened, fast.opened])
    fast.type('seq 300000\r')
    await expect.poll(fast.seen).toMatch(/\r\n300000\r\nterminal:~# $/)
    // The output is complete, without repetition.
    expect(fast.seen().split('\r\n').slice(1, -1)).toEqual(
      Array.from({ length: 300_000 }, (_, index) => String(index + 1)),
    )
    expect(slow.bytes()).toBeLessThan(CONSOLE_WINDOW + 100_000)
    const before = slow.bytes()
    slow.take()
    await vi.waitFor(() => expect(slow.bytes()).toBeGreaterThan(before), 30_000)
    expect(slow.places).toHaveLength(2)
    expect(slow.places[1]!.offset).toBeGreaterThan(slow.places[0]!.offset + before)
  })

  test('is notified of a reboot, even after a lost connection', async () => {
    const viewer = follow({ query: newest })
    await viewer.opened
    await vi.waitFor(() => expect(viewer.places).toHaveLength(1), 30_000)
    await admin.call('instance_reboot', { params: { instance: id } })
    await expect.poll(viewer.seen).toMatch(/Welcome to terminal/)
    expect(viewer.places[1]).toEqual({ boot: expect.any(String), offset: 0 })
    expect(viewer.places[1]!.boot).not.toBe(viewer.places[0]!.boot)
    await reaches(admin, id, 'running')

    // A viewer that was disconnected meanwhile gets the new boot from its beginning.
    const { boot } = viewer.places[0]!
    const late = follow({ query: { boot, from_start: '50' } })
    await expect.poll(late.seen).toMatch(/^Steading simulated machine firmware/)
    expect(late.places).toEqual([viewer.places[1]])
  })

  test('may send invalid acknowledgements', async () => {
    const viewer = follow({ query: newest })
    await viewer.opened
    for (const said of ['', '{', 'null', '7', '{"taken":-1}', '{"taken":1e99}', '{"taken":"x"}']) {
      viewer.socket.send(said)
    }
    viewer.type('seq 1\r')
    await expect.poll(viewer.seen).toMatch(/1\r\nterminal:~# $/)
  })
})

test('a viewer with a slow connection gets the end, and the host keeps no copy for it @long', async () => {
  const slow = view(admin, { query: newest })
  const fast = view(admin, { query: newest })
  await Promise.all([slow.opened, fast.opened])
  slow.socket.pause()
  fast.type('seq 2000000\r')
  await expect.poll(() => fast.seen().slice(-30)).toMatch(/2000000\r\nterminal:~# $/)
  slow.socket.resume()
  await expect.poll(() => slow.seen().slice(-30)).toMatch(/2000000\r\nterminal:~# $/)
  expect(slow.bytes()).toBeLessThan(fast.bytes())
})

test('reading requires a weaker role than typing', async () => {
  const project = await admin.call('project_view', { params: { project: 'work' } })
  const { caller } = await server.createUser('reader', { projects: { [project.id]: 'viewer' } })
  const read = await caller.call('instance_serial_console', {
    params: { instance: id },
    query: { from_start: 0 },
  })
  expect(read.data.length).toBeGreaterThan(0)
  await expect(view(caller).opened).rejects.toThrow('403')
  await expect(view(server.anonymous).opened).rejects.toThrow('401')
})

describe('an open stream ends', () => {
  /** A user who types at their own console. */
  async function typing(name: string, prefix: string) {
    const project = await admin.call('project_view', { params: { project: 'work' } })
    const user = await server.createUser(name, { projects: { [project.id]: 'collaborator' } })
    const viewer = view(user.caller, { prefix, query: newest })
    await viewer.opened
    viewer.type(`printf ${name}-in\r`)
    await expect.poll(viewer.seen).toContain(`${name}-interminal`)
    const closed = new Promise<[number, string]>((resolve) => {
      viewer.socket.once('close', (code, reason) => resolve([code, reason.toString()]))
    })
    return { ...user, viewer, closed }
  }
  const output = async () => text((await history({ most_recent: 2_000 })).data)

  test.each([plain, following])(
    '%s, when its user signs out, and takes no more input',
    async (prefix) => {
      const name = prefix === plain ? 'leaver' : 'follower'
      const { caller, viewer, closed } = await typing(name, prefix)
      await caller.call('logout')
      viewer.type(`printf ${name}-out\r`)
      expect(await closed).toEqual([1008, consoleEndings.signedOut])
      expect(await output()).not.toContain(`${name}-out`)
    },
  )

  test('when its session has ended, even if nothing is typed', async () => {
    const { id: userId, closed } = await typing('quiet', plain)
    await server.db.deleteFrom('console_session').where('user_id', '=', userId).execute()
    expect(await closed).toEqual([1008, consoleEndings.signedOut])
  })

  test('when its user is deleted', async () => {
    const { id: userId, closed } = await typing('removed', plain)
    await server.db
      .updateTable('silo_user')
      .set({ time_deleted: new Date().toISOString() })
      .where('id', '=', userId)
      .execute()
    expect(await closed).toEqual([1008, consoleEndings.signedOut])
  })

  test('when its user loses the role, and accepts no more input', async () => {
    const { viewer, closed } = await typing('demoted', plain)
    await admin.call('project_policy_update', {
      params: { project: 'work' },
      body: { role_assignments: [] },
    })
    viewer.type('printf demoted-out\r')
    expect(await closed).toEqual([1008, consoleEndings.forbidden])
    expect(await output()).not.toContain('demoted-out')
  })
})

test('refuses an invalid path before a socket is opened', async () => {
  const socket = new WebSocket(
    `${server.url.replace('http', 'ws')}/v1/instances/%ff/serial-console/stream`,
    { headers: { cookie: admin.cookie! } },
  )
  const refused = new Promise<number>((resolve) => {
    socket.once('unexpected-response', (_, response) => resolve(response.statusCode!))
  })
  expect(await refused).toBe(400)
})

test('without a machine there is no console', async () => {
  const { id: off } = await admin.call('instance_create', { query, body: smallInstance('off') })
  await reaches(admin, off, 'stopped')
  const refusal = await admin.refusal('instance_serial_console', {
    params: { instance: off },
    query: { from_start: 0 },
  })
  expect(refusal.message).toBe('instance is stopped and has no active serial console server')
})

describe('the log', () => {
  const logOf = (caller: Caller, instance: string, values: object = {}) =>
    caller.call('serial_console_log', { params: { instance }, query: values })
  const textOf = ({ data }: { data: string }) => Buffer.from(data, 'base64').toString()

  /** An instance that ran and was asked to stop, and the output of its console. */
  async function stopped(name: string) {
    const body = smallInstance(name, { start: true })
    const made = await admin.call('instance_create', { query, body })
    await reaches(admin, made.id, 'running')
    const viewer = view(admin, { prefix: following }, made.id)
    await expect.poll(viewer.seen).toContain(`${name}:~# `)
    await admin.call('instance_stop', { params: { instance: made.id } })
    await reaches(admin, made.id, 'stopped')
    return { id: made.id, viewer }
  }

  test('of a running machine equals its console output', async () => {
    const body = smallInstance('awake', { start: true })
    const { id: up } = await admin.call('instance_create', { query, body })
    await reaches(admin, up, 'running')
    const viewer = view(admin, { prefix: following }, up)
    await expect.poll(viewer.seen).toContain('awake:~# ')
    const log = await logOf(admin, up)
    expect(textOf(log)).toBe(viewer.seen())
    expect(textOf(log)).toContain('multi-user')
    expect(log.first_byte_offset).toBe(0)
    expect(log.last_byte_offset).toBe(textOf(log).length)
    const newest = await logOf(admin, up, { most_recent: 5 })
    expect(textOf(newest)).toBe(textOf(log).slice(-5))
    expect(newest.first_byte_offset).toBe(newest.last_byte_offset - 5)
  })

  test('of a stopped machine is complete, and continues where a viewer stopped', async () => {
    const { id: off, viewer } = await stopped('sleeper')
    const log = await logOf(admin, off)
    expect(textOf(log)).toMatch(/multi-user[^]*Stopping all services\r\n\r\nPower down\r\n$/)
    await expect.poll(viewer.seen).toBe(textOf(log))
    expect(log.boot).toBe(viewer.places[0]!.boot)
    const rest = await logOf(admin, off, { boot: log.boot!, from_start: 40 })
    expect(textOf(rest)).toBe(textOf(log).slice(40))
    expect(rest.first_byte_offset).toBe(40)
    const other = await logOf(admin, off, { boot: 'another', from_start: 40 })
    expect(textOf(other)).toBe(textOf(log))
    // The contract's rule for machines that are off still applies.
    const refused = await admin.refusal('instance_serial_console', {
      params: { instance: off },
      query: { from_start: 0 },
    })
    expect(refused.status).toBe(400)
  })

  test('starts over when the instance is started, and the old machine is gone', async () => {
    const { id: off } = await stopped('riser')
    const { boot } = await logOf(admin, off)
    await admin.call('instance_start', { params: { instance: off } })
    await reaches(admin, off, 'running')
    const log = await logOf(admin, off)
    expect(log.boot).not.toBe(boot)
    expect(textOf(log)).not.toContain('Power down')
    const machine = boot!.split('.')[0]!
    const machines = await server.db.selectFrom('simulated_machine').select('id').execute()
    expect(machines.map((each) => each.id)).not.toContain(machine)
  })

  test('survives the server', async () => {
    const first = await startTestServer()
    onTestFinished(first.drop)
    await first.admin.call('project_create', { body: { name: 'work', description: '' } })
    const body = smallInstance('survivor', { start: true })
    const { id: off } = await first.admin.call('instance_create', { query, body })
    await reaches(first.admin, off, 'running')
    await first.admin.call('instance_stop', { params: { instance: off } })
    await reaches(first.admin, off, 'stopped')
    const log = await logOf(first.admin, off)
    const { cookie } = first.admin
    // The data directory is removed with the server that created it.
    await first.host.close()
    const again = await startTestServer({ data: first.data, databaseUrl: first.databaseUrl })
    onTestFinished(() => again.close())
    expect(await logOf(new Caller(again.url, cookie), off)).toEqual(log)
    expect(textOf(log)).toMatch(/Power down\r\n$/)
  })

  test('needs few rows, however many keys were typed, and is unchanged by a restart @long', async () => {
    const first = await startTestServer()
    await first.admin.call('project_create', { body: { name: 'work', description: '' } })
    const body = smallInstance('typing', { start: true })
    const { id: typing } = await first.admin.call('instance_create', { query, body })
    await reaches(first.admin, typing, 'running')
    const viewer = viewConsole(first.url, first.admin, typing)
    await expect.poll(viewer.seen).toContain('typing:~# ')
    for (let keys = 1; keys <= 60; keys++) {
      viewer.type('k')
      await expect.poll(viewer.seen, { interval: 1 }).toContain(`typing:~# ${'k'.repeat(keys)}`)
    }
    const rows = await first.db.selectFrom('simulated_output').select('byte_length').execute()
    expect(rows.length).toBeLessThan(20)
    const log = await logOf(first.admin, typing)
    expect(rows.reduce((sum, { byte_length }) => sum + byte_length, 0)).toBe(log.last_byte_offset)
    const { cookie } = first.admin
    await first.host.close()
    const again = await startTestServer({ data: first.data, databaseUrl: first.databaseUrl })
    onTestFinished(() => again.close())
    expect(await logOf(new Caller(again.url, cookie), typing)).toEqual(log)
  })

  test('is deleted with the instance', async () => {
    const { id: off } = await stopped('leaving')
    const { boot } = await logOf(admin, off)
    await admin.call('instance_delete', { params: { instance: off } })
    const machine = boot!.split('.')[0]!
    const left = () =>
      Promise.all([
        server.db.selectFrom('simulated_machine').select('id').where('id', '=', machine).execute(),
        server.db
          .selectFrom('simulated_output')
          .select('boot')
          .where('machine_id', '=', machine)
          .execute(),
      ])
    await expect.poll(left).toEqual([[], []])
  })

  test('is empty when there was no machine', async () => {
    const { id: unborn } = await admin.call('instance_create', {
      query,
      body: smallInstance('unborn'),
    })
    const nothing = { boot: null, data: '', first_byte_offset: 0, last_byte_offset: 0 }
    expect(await logOf(admin, unborn)).toEqual(nothing)
  })
})

test('a guest that reboots or powers off its machine changes the state of its instance', async () => {
  stopClocks()
  onTestFinished(() => void vi.useRealTimers())
  const slow = await startTestServer({ bootMs: 1000 })
  onTestFinished(() => slow.close())
  const passes = () => vi.advanceTimersByTime(1000)
  const caller = slow.admin
  await caller.call('project_create', { body: { name: 'work', description: '' } })
  const body = smallInstance('bouncer', { start: true })
  const { id: own } = await caller.call('instance_create', { query, body })
  await reaches(caller, own, 'starting')
  passes()
  await reaches(caller, own, 'running')
  const viewer = viewConsole(slow.url, caller, own, { prefix: following })
  await expect.poll(viewer.seen).toContain('bouncer:~# ')
  viewer.type('reboot\r')
  await reaches(caller, own, 'rebooting')
  await expect.poll(() => viewer.places).toHaveLength(2)
  passes()
  await expect.poll(viewer.seen).toMatch(/Rebooting\r\n[^]*Welcome to bouncer/)
  const again = await reaches(caller, own, 'running')
  expect(again.time_last_auto_restarted).toBeNull()
  viewer.type('poweroff\r')
  await reaches(caller, own, 'stopping')
  passes()
  await reaches(caller, own, 'stopped')
  expect(viewer.seen()).toMatch(/Power down\r\n$/)
})

test('a crashing guest kernel leaves a failed instance, and its last output', async () => {
  const body = smallInstance('crasher', { start: true, auto_restart_policy: 'never' })
  const { id: own } = await admin.call('instance_create', { query, body })
  await reaches(admin, own, 'running')
  const viewer = view(admin, { prefix: following }, own)
  await viewer.opened
  viewer.type('echo c > /proc/sysrq-trigger\r')
  await reaches(admin, own, 'failed')
  const { data } = await admin.call('serial_console_log', { params: { instance: own } })
  expect(Buffer.from(data, 'base64').toString()).toMatch(
    /sysrq-trigger\r\n\[[^]*Kernel panic - not syncing[^]*\]---\r\n$/,
  )
})

test('limits the open consoles of a user, without affecting other users', async () => {
  const { caller } = await server.createUser('greedy', { fleet: 'admin', silo: 'admin' })
  const consoles = Array.from({ length: CONSOLES_MAX }, () => view(caller))
  await Promise.all(consoles.map(({ opened }) => opened))
  for (const prefix of [plain, following]) {
    await expect(view(caller, { prefix }).opened).rejects.toThrow('429')
  }
  const upgrade = {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': btoa('sixteen bytes ..'),
  }
  const [status, retryAfter] = await new Promise<unknown[]>((resolve) => {
    get(`${server.url}/v1/instances/${id}/serial-console/stream`, {
      headers: { ...caller.credentials, ...upgrade },
    }).once('response', ({ statusCode, headers }) => resolve([statusCode, headers['retry-after']]))
  })
  expect([status, retryAfter]).toEqual([429, '10'])
  await view(admin).opened
  const { socket } = consoles[0]!
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.close()
  await closed
  await vi.waitFor(() => view(caller).opened, 30_000)
})

test('keys sent in many frames at once are typed in order', async () => {
  const viewer = view(admin, { query: newest })
  await viewer.opened
  const word = Array.from({ length: 500 }, (_, index) =>
    String.fromCharCode(97 + (index % 26)),
  ).join('')
  for (const key of `echo ${word}\r`) viewer.type(key)
  await vi.waitFor(() => expect(viewer.seen()).toContain(`\r\n${word}\r\n${prompt}`), 30_000)
})
