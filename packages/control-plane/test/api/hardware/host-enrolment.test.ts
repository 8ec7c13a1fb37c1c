/** Adding hosts: what operators ask for, what the checks find, and how hosts become sleds. */
import type { Wire } from '@steading/api'
import {
  clockFinding,
  failedBy,
  HOST_CLOCK_LOOK_MS,
  hostCannot,
  hostChecks,
  hostMessages,
  hostProblems,
  isClockApart,
} from '@steading/api/rules'
import type { Engine, HostConnection, HostEnrolment } from '@steading/control-plane/ports'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createEngine } from '../../../../node/src/engine.ts'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { addHostRow } from '../../support/hosts.ts'
import { until } from '../../support/things.ts'

let server: TestServer
let admin: Caller
let enrolment: HostEnrolment
/** Examinations of this address wait. */
let held: { address: string; until: Promise<void> } | undefined
/** What the engine says of a connection, by serial number. */
const connections = new Map<string, HostConnection>()
/** The clocks that the engine reports, by serial number. */
const clocks = new Map<string, number | undefined>()

beforeAll(async () => {
  server = await startTestServer({}, async (config) => {
    const { engine } = await createEngine(config)
    const open: Engine['open'] = (parts) => {
      const engines = engine.open(parts)
      const inner = engines.enrolment!
      enrolment = {
        ...inner,
        async examine(address) {
          if (held?.address === address) await held.until
          const examination = await inner.examine(address)
          const seconds = clocks.get(examination.host?.serial ?? '')
          if (seconds === undefined || !isClockApart(seconds)) return examination
          const findings = failedBy(examination.findings, clockFinding(seconds))
          return { findings, host: undefined }
        },
        clockAhead: async (serial) =>
          clocks.has(serial) ? clocks.get(serial) : inner.clockAhead(serial),
        connection: (serial) => connections.get(serial) ?? inner.connection(serial),
      }
      return { ...engines, enrolment }
    }
    return { ...engine, open }
  })
  admin = server.admin
})
afterAll(() => server.close())

const addressOf = (name: string, user = 'root') => `qemu+ssh://${user}@${name}/system`
const add = (name: string, user?: string) =>
  admin.call('host_create', { body: { address: addressOf(name, user) } })
const paramsOf = ({ id }: { id: string }) => ({ params: { host_id: id } })
const view = (host: { id: string }) => admin.call('host_view', paramsOf(host))
const update = (host: { id: string }, address: string) =>
  admin.call('host_update', { ...paramsOf(host), body: { address } })
const remove = (host: { id: string }) => admin.call('host_delete', paramsOf(host))
const becomes = (host: { id: string }, expected: Partial<Wire.Host>): Promise<Wire.Host> =>
  until(
    () => view(host),
    (seen) => expect(seen).toMatchObject(expected),
  )
const failureIn = ({ findings }: Wire.Host) => findings.find(({ outcome }) => outcome === 'failed')
const joined = async (name: string) => becomes(await add(name), { state: 'in_service' })
const isGone = (host: { id: string }) =>
  until(
    () => admin.send('GET', `/x/v1/system/hosts/${host.id}`),
    ({ status }) => expect(status).toBe(404),
  )
const sledsCalled = async (serial: string) =>
  (await admin.call('sled_search', { query: { search: serial } })).items

/** Examinations of an address wait until the returned function is called. */
function hold(address: string): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  held = { address, until: promise }
  onTestFinished(() => {
    resolve()
    held = undefined
  })
  return resolve
}

/** Begins a change of the rack's membership that does not end, as its sled is off. */
async function beginLastingChange(): Promise<() => Promise<unknown>> {
  const sled = await admin.call('simulated_sled_insert')
  const serial = sled.serial_number
  await until(
    async () => (await admin.call('sled_list_uninitialized')).items,
    (items) => expect(items.map(({ baseboard }) => baseboard.serial)).toContain(serial),
  )
  await admin.call('simulated_sled_set_power', { params: { serial }, body: { on: false } })
  const [rack] = (await admin.call('rack_list')).items
  const params = { rack_id: rack!.id }
  await admin.call('rack_membership_add_sleds', { params, body: { sled_ids: [sled] } })
  return () => admin.call('rack_membership_abort', { params })
}

test('a host that passes the checks becomes a sled', async () => {
  const created = await add('sim-1')
  expect(created).toMatchObject({
    name: 'sim-1',
    address: addressOf('sim-1'),
    state: 'checking',
    checking: true,
    findings: [],
    time_checked: null,
    serial: null,
    sled_id: null,
    connection: null,
  })
  const host = await becomes(created, { state: 'in_service', serial: 'SIM-1', checking: false })
  expect(host.findings.map(({ check, outcome }) => [check, outcome])).toEqual(
    hostChecks.map((check) => [check, 'passed']),
  )
  expect(host.connection).toMatchObject({ connected: true, reason: null })
  const params = { sled_id: host.sled_id! }
  expect(await admin.call('sled_view', { params })).toMatchObject({
    baseboard: { serial: 'SIM-1', part: host.part },
    policy: { kind: 'in_service' },
  })
  const { items } = await admin.call('host_search', { query: { search: 'sim-1' } })
  expect(items).toEqual([await view(host)])
})

test('a warning does not keep a host out', async () => {
  const { findings } = await joined('sim-slow-1')
  expect(findings).toContainEqual(hostProblems.emulated({}))
})

test.each([
  ['sim-old-1', 'software', /^Install Libvirt/],
  ['sim-clock-1', 'clock', /NTP/],
  ['sim-nostorage-1', 'storage', /^Mount/],
  ['elsewhere', 'connection', /^Start libvirt/],
])('host %s is refused for its %s, with a remedy', async (name, check, remedy) => {
  const host = await becomes(await add(name), { state: 'refused', checking: false })
  expect(host.findings.at(-1)).toEqual({
    check,
    outcome: 'failed',
    detail: expect.any(String),
    remedy: expect.stringMatching(remedy),
  })
  expect(host.findings.filter(({ outcome }) => outcome === 'failed')).toHaveLength(1)
  expect(await sledsCalled(name.toUpperCase())).toEqual([])
  await remove(host)
  await isGone(host)
})

test('a refused host is checked again, and at another address', async () => {
  const host = await becomes(await add('sim-old-2'), { state: 'refused' })
  expect(await admin.call('host_check', paramsOf(host))).toMatchObject({
    state: 'checking',
    checking: true,
    findings: host.findings,
  })
  const again = await until(
    () => view(host),
    (seen) => {
      expect(seen.state).toBe('refused')
      expect(seen.time_checked).not.toBe(host.time_checked)
    },
  )
  expect(again.findings).toEqual(host.findings)
  const moved = await update(host, addressOf('sim-2'))
  expect(moved).toMatchObject({ name: 'sim-2', state: 'checking', findings: [] })
  await becomes(host, { state: 'in_service', serial: 'SIM-2' })
})

test('an address is one of libvirt, and belongs to one host', async () => {
  const host = await becomes(await add('sim-3'), { state: 'in_service' })
  const attempt = (address: string) => admin.refusal('host_create', { body: { address } })
  for (const address of [
    '',
    'sim-3',
    'qemu+ext://sim-3/system',
    'qemu+ssh://sim-3/system?command=/bin/sh',
  ]) {
    expect(await attempt(address)).toMatchObject({ status: 400 })
    const body = { address }
    expect(await admin.refusal('host_update', { ...paramsOf(host), body })).toMatchObject({
      status: 400,
    })
  }
  const message = hostMessages.taken(host.address)
  expect(await attempt(host.address)).toMatchObject({ status: 409, message })
  const other = await becomes(await add('sim-old-3'), { state: 'refused' })
  const body = { address: host.address }
  expect(await admin.refusal('host_update', { ...paramsOf(other), body })).toMatchObject({
    status: 409,
  })
})

test('a host in service gets another address once the checks pass there', async () => {
  const host = await joined('sim-4')
  const next = addressOf('sim-4', 'operator')
  const release = hold(next)
  expect(await update(host, next)).toMatchObject({
    state: 'in_service',
    checking: true,
    address: host.address,
    next_address: next,
  })
  // Nobody else gets it meanwhile.
  expect(await admin.refusal('host_create', { body: { address: next } })).toMatchObject({
    status: 409,
  })
  release()
  const moved = await becomes(host, { address: next, next_address: null, checking: false })
  expect(moved).toMatchObject({ state: 'in_service', sled_id: host.sled_id })

  const wrong = addressOf('elsewhere-4')
  await update(host, wrong)
  const refused = await becomes(host, { next_address: wrong, checking: false })
  expect(refused).toMatchObject({ state: 'in_service', address: next })
  expect(failureIn(refused)?.check).toBe('connection')

  await update(host, addressOf('sim-44'))
  const other = await becomes(host, { next_address: addressOf('sim-44'), checking: false })
  expect(other).toMatchObject({ state: 'in_service', address: next })
  expect(failureIn(other)).toEqual(hostProblems.other_host({ found: 'SIM-44', expected: 'SIM-4' }))
  expect(await sledsCalled('SIM-44')).toEqual([])

  await update(host, next)
  const back = await becomes(host, { next_address: null, checking: false })
  expect(back.address).toBe(next)
  expect(failureIn(back)).toBeUndefined()
})

test('a machine is one host: its second address is refused, or replaces one out of reach', async () => {
  const host = await joined('sim-5')
  const second = await becomes(await add('sim-5', 'operator'), { state: 'refused' })
  expect(failureIn(second)).toEqual(hostProblems.same_host({ address: host.address }))

  connections.set('SIM-5', { connected: false, since: new Date(0), reason: 'no route to host' })
  onTestFinished(() => void connections.delete('SIM-5'))
  await admin.call('host_check', paramsOf(second))
  await becomes(second, { state: 'in_service', sled_id: host.sled_id })
  await isGone(host)
  expect(await sledsCalled('SIM-5')).toHaveLength(1)
})

test('a host that is out of reach is one issue, with the reason', async () => {
  const host = await joined('sim-6')
  const power = (on: boolean) =>
    admin.call('simulated_sled_set_power', { params: { serial: 'SIM-6' }, body: { on } })
  const issuesOf = async () =>
    (await admin.call('issue_list')).items
      .filter(({ id }) => id.endsWith(`:${host.id}`) || id.endsWith(`:${host.sled_id}`))
      .map(({ id, severity, sentence }) => ({ id, severity, sentence }))
  const reason = 'no route to host'
  connections.set('SIM-6', { connected: false, since: new Date(), reason })
  onTestFinished(() => void connections.delete('SIM-6'))
  expect((await view(host)).connection).toMatchObject({ connected: false, reason })
  await power(false)
  await until(issuesOf, (issues) =>
    expect(issues).toEqual([
      {
        id: `host_unreachable:${host.id}`,
        severity: 'critical',
        sentence: expect.stringContaining(reason),
      },
    ]),
  )
  await power(true)
  await until(issuesOf, (issues) => expect(issues).toEqual([]))
})

describe('the clock of a host in service', () => {
  const issuesOf = async ({ id }: { id: string }) => {
    const { items } = await admin.call('issue_list')
    return items.filter((issue) => issue.id === `host_clock_apart:${id}`)
  }
  const alarmOf = async ({ id }: { id: string }) => {
    const { reconcile_at } = await server.db
      .selectFrom('host')
      .select('reconcile_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return reconcile_at
  }
  const longAgo = new Date(0).toISOString()
  /** Makes the look at a clock due. */
  async function makeDue(host: { id: string }): Promise<void> {
    await server.db
      .updateTable('host')
      .set({ reconcile_at: longAgo })
      .where('id', '=', host.id)
      .execute()
    const other = await add(`elsewhere-${crypto.randomUUID()}`)
    // It wakes the reconciler.
    await becomes(other, { state: 'refused' })
    await remove(other)
  }
  async function looked(host: { id: string }): Promise<void> {
    await makeDue(host)
    await until(
      () => alarmOf(host),
      (alarm) => expect(alarm! > longAgo).toBe(true),
    )
  }
  const isApart = (ahead: number) => hostProblems.clock_apart({ seconds: ahead })
  const clockIn = ({ findings }: Wire.Host) => findings.find(({ check }) => check === 'clock')

  test('is an issue while it is wrong, and a failed check', async () => {
    const host = await joined('sim-60')
    expect(await issuesOf(host)).toEqual([])
    clocks.set('SIM-60', -340)
    await looked(host)
    const wrong = await view(host)
    expect(wrong).toMatchObject({ state: 'in_service', checking: false })
    expect(wrong.findings).toEqual(
      host.findings.map((finding) => (finding.check === 'clock' ? isApart(-340) : finding)),
    )
    const [issue, ...others] = await issuesOf(host)
    expect(others).toEqual([])
    expect(issue).toMatchObject({
      severity: 'warning',
      sentence: expect.stringMatching(
        /^The clock of host sim-60 is 340 s behind the clock of the database: its instances/,
      ),
      path: `/system/inventory/hosts/${host.id}`,
      next: expect.stringContaining('NTP'),
    })
    // It stays the same issue while the clock drifts.
    clocks.set('SIM-60', -400)
    await looked(host)
    expect(await issuesOf(host)).toMatchObject([
      { time_began: issue!.time_began, sentence: expect.stringContaining(' 400 s behind ') },
    ])
    clocks.delete('SIM-60')
    await looked(host)
    expect(await issuesOf(host)).toEqual([])
    expect((await view(host)).findings).toEqual(host.findings)
  })

  test('is looked at every few minutes, and writes nothing while it is right', async () => {
    const host = await joined('sim-61')
    await looked(host)
    const left = Date.parse((await alarmOf(host))!) - Date.parse(host.time_modified)
    expect(left).toBeGreaterThanOrEqual(HOST_CLOCK_LOOK_MS)
    expect((await view(host)).time_modified).toBe(host.time_modified)
  })

  test('is not known to be wrong or right while the host does not answer', async () => {
    const host = await joined('sim-62')
    clocks.set('SIM-62', undefined)
    await looked(host)
    expect(await issuesOf(host)).toEqual([])
    clocks.set('SIM-62', 500)
    await looked(host)
    expect(await issuesOf(host)).toHaveLength(1)
    clocks.set('SIM-62', undefined)
    await looked(host)
    // One that is known not to answer is not called at all.
    clocks.set('SIM-62', 0)
    connections.set('SIM-62', { connected: false, since: new Date(), reason: 'no route to host' })
    onTestFinished(() => void connections.delete('SIM-62'))
    await looked(host)
    expect(await issuesOf(host)).toHaveLength(1)
  })

  test('has the other checks made once it is right, if they had ended there', async () => {
    const host = await joined('sim-63')
    clocks.set('SIM-63', -340)
    await admin.call('host_check', paramsOf(host))
    const checked = await becomes(host, { checking: false })
    expect(checked.findings.at(-1)).toEqual(isApart(-340))
    await looked(host)
    expect(await issuesOf(host)).toHaveLength(1)
    clocks.delete('SIM-63')
    await looked(host)
    // The checks were made a moment ago, so these wait for a later look.
    const right = await view(host)
    expect(right).toMatchObject({ checking: false, time_checked: checked.time_checked })
    expect(right.findings.at(-1)).toMatchObject({ check: 'clock', outcome: 'passed' })
    expect(await issuesOf(host)).toEqual([])
    const time_checked = new Date(Date.parse(right.time_checked!) - HOST_CLOCK_LOOK_MS)
    await server.db
      .updateTable('host')
      .set({ time_checked: time_checked.toISOString() })
      .where('id', '=', host.id)
      .execute()
    await looked(host)
    await until(
      () => view(host),
      ({ findings }) => expect(findings).toEqual(host.findings),
    )
  })

  test('leaves the findings at a new address alone', async () => {
    const host = await joined('sim-64')
    const next_address = addressOf('sim-clock-64')
    await update(host, next_address)
    const refused = await becomes(host, { next_address, checking: false })
    expect(clockIn(refused)).toMatchObject({ outcome: 'failed' })
    clocks.set('SIM-64', 300)
    await looked(host)
    clocks.delete('SIM-64')
    await looked(host)
    expect((await view(host)).findings).toEqual(refused.findings)
    expect(await issuesOf(host)).toEqual([])
  })

  test('is nobody’s concern once the sled is expunged or the host removed', async () => {
    const host = await joined('sim-65')
    clocks.set('SIM-65', 90)
    await looked(host)
    expect(await issuesOf(host)).toHaveLength(1)
    await admin.call('sled_expunge', { params: { sled_id: host.sled_id! } })
    await becomes(host, { state: 'expunged' })
    expect(await issuesOf(host)).toEqual([])
    await becomes(host, { sled_id: null })
    await remove(host)
    await isGone(host)
    expect(await issuesOf(host)).toEqual([])
  })
})

test('a host leaves after its sled, and gets the same slot when it returns', async () => {
  const host = await joined('sim-7')
  const refusal = await admin.refusal('host_delete', paramsOf(host))
  const message = hostCannot('delete', { state: 'in_service', sledId: host.sled_id })
  expect(refusal).toMatchObject({ status: 409, message })
  const [sled] = await sledsCalled('SIM-7')
  await admin.call('sled_expunge', { params: { sled_id: host.sled_id! } })
  await becomes(host, { state: 'expunged', sled_id: null })
  await remove(host)
  await isGone(host)
  const { sleds } = await server.host.controlPlane.engines.hardware.inventory()
  expect(sleds.map(({ serial }) => serial)).not.toContain('SIM-7')
  const again = await joined('sim-7')
  expect(again.id).not.toBe(host.id)
  const members = (await sledsCalled('SIM-7')).filter(({ state }) => state === 'active')
  expect(members).toMatchObject([{ id: again.sled_id, slot: sled!.slot }])
})

test('a host waits while other sleds are added, and may be removed meanwhile', async () => {
  const abort = await beginLastingChange()
  const host = await becomes(await add('sim-8'), { state: 'joining' })
  const other = await becomes(await add('sim-9'), { state: 'joining' })
  // It is in the rack, but not yet in service; its sled needs nobody to add it.
  await until(
    async () => (await server.host.controlPlane.engines.hardware.inventory()).sleds,
    (sleds) => expect(sleds.map(({ serial }) => serial)).toContain('SIM-9'),
  )
  expect(await admin.refusal('host_check', paramsOf(host))).toMatchObject({ status: 409 })
  await remove(other)
  await isGone(other)
  await abort()
  await becomes(host, { state: 'in_service' })
  expect(await sledsCalled('SIM-9')).toEqual([])
})

test('an operator changes or removes a host while it is checked', async () => {
  const release = hold(addressOf('sim-10'))
  const [changed, removed] = [await add('sim-10'), await add('sim-11')]
  await becomes(removed, { state: 'in_service' })
  await update(changed, addressOf('sim-12'))
  release()
  await becomes(changed, { state: 'in_service', serial: 'SIM-12' })
  expect(await sledsCalled('SIM-10')).toEqual([])

  const releaseOther = hold(addressOf('sim-13'))
  const host = await add('sim-13')
  await remove(host)
  await isGone(host)
  releaseOther()
  await joined('sim-14')
  expect(await sledsCalled('SIM-13')).toEqual([])
})

test('continues after a kill at any point', async () => {
  const due = { reconcile_at: new Date(0).toISOString() }
  const { part } = (await admin.call('host_search', { query: { search: 'SIM-1' } })).items[0]!
  // Killed before the result of the checks was written, and after the host was enrolled.
  const checking = await addHostRow(server.db, {
    ...due,
    state: 'checking',
    check_due: 1,
    address: addressOf('sim-20'),
  })
  await enrolment.enroll({ part: part!, serial: 'SIM-21' }, addressOf('sim-21'))
  const joining = await addHostRow(server.db, {
    ...due,
    state: 'joining',
    address: addressOf('sim-21'),
    part,
    serial: 'SIM-21',
  })
  // Killed before the engine was told to forget it, and after.
  await enrolment.enroll({ part: part!, serial: 'SIM-22' }, addressOf('sim-22'))
  const leaving = { ...due, state: 'leaving', part } as const
  const first = await addHostRow(server.db, { ...leaving, serial: 'SIM-22' })
  const second = await addHostRow(server.db, { ...leaving, serial: 'SIM-23' })
  // Adding another one wakes the reconciler.
  await joined('sim-24')
  await becomes(checking, { state: 'in_service', serial: 'SIM-20' })
  await becomes(joining, { state: 'in_service', serial: 'SIM-21' })
  await isGone(first)
  await isGone(second)
  expect((await sledsCalled('SIM-22')).length).toBe(0)
})
