/**
 * Hosts that do not answer: they are switched off before their instances run elsewhere, and nothing
 * runs there again until they have come back empty.
 */
import type { Wire } from '@steading/api'
import {
  fencingHolds,
  fencingMessages,
  hostEventSentences,
  hostSilentTitle,
  type HostEventKind,
  instanceFailures,
  instanceWaits,
  isMassFailure,
  leaseFaults,
  leaseHoldMeanings,
  leaseHoldRemedies,
} from '@steading/api/rules'
import { beforeEach, afterEach, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { FENCED_STORY } from '../../support/hosts.ts'
import { reaches, smallInstance, until } from '../../support/things.ts'

let server: TestServer
let admin: Caller
const query = { project: 'work' }

beforeEach(async () => {
  server = await startTestServer()
  admin = server.admin
  await admin.call('project_create', { body: { name: 'work', description: '' } })
})
afterEach(() => server.close())

const paramsOf = ({ id }: { id: string }) => ({ params: { host_id: id } })
const view = (host: { id: string }) => admin.call('host_view', paramsOf(host))
const becomes = (host: { id: string }, state: Wire.FencingState): Promise<Wire.Host> =>
  until(
    () => view(host),
    ({ fencing }) => expect(fencing).toMatchObject({ state }),
  )
const kindsOf = async (host: { id: string }): Promise<HostEventKind[]> =>
  (await admin.call('host_story', paramsOf(host))).events.map(({ kind }) => kind)
const simulation = () => server.host.controlPlane.engines.simulation

/** Adds a host, of which its number is the name. */
async function addHost(name: string): Promise<Wire.Host & { serial: string }> {
  const { id } = await admin.call('host_create', {
    body: { address: `qemu+ssh://root@sim-${name}/system` },
  })
  const host = await until(
    () => admin.call('host_view', { params: { host_id: id } }),
    ({ state }) => expect(state).toBe('in_service'),
  )
  return host as Wire.Host & { serial: string }
}

const setMethod = (host: Wire.Host, values: Partial<Wire.HostFencingUpdate> = {}) =>
  admin.call('host_fencing_update', {
    ...paramsOf(host),
    body: {
      method: 'redfish',
      automatic: true,
      address: `${host.name}-bmc`,
      user: 'admin',
      password: 'secret',
      ...values,
    },
  })

/** Starts an instance on the sled of a host, which alone takes new ones meanwhile. */
async function startOn(host: Wire.Host, name: string, values: object = {}) {
  const sleds = (await admin.call('sled_search')).items.filter(({ id }) => id !== host.sled_id)
  const policy = (state: Wire.SledProvisionPolicy) =>
    Promise.all(
      sleds.map(({ id }) =>
        admin.call('sled_set_provision_policy', { params: { sled_id: id }, body: { state } }),
      ),
    )
  await policy('non_provisionable')
  const { id } = await admin.call('instance_create', {
    query,
    body: smallInstance(name, {
      network_interfaces: { type: 'none' },
      start: true,
      auto_restart_policy: 'best_effort',
      ...values,
    }),
  })
  const instance = await reaches(admin, id, 'running')
  await policy('provisionable')
  return instance
}
const sledDetails = ({ sled_id }: Wire.Host) =>
  admin.call('sled_details_view', { params: { sled_id: sled_id! } })
const sledOf = async ({ id }: { id: string }) =>
  (await admin.call('instance_sled_view', { params: { instance: id } })).sled
const storyOf = async ({ id }: { id: string }, caller = admin) =>
  (await caller.call('instance_failure', { params: { instance: id } })).host_story
const simulatedSled = ({ serial }: { serial: string }) =>
  server.db
    .selectFrom('simulated_sled')
    .select('down')
    .where('serial', '=', serial)
    .executeTakeFirst()
/** All machines, once those that are seen to run are written down as such. */
const machines = () =>
  until(
    () => server.db.selectFrom('simulated_machine').select(['id', 'phase', 'sled_id']).execute(),
    (all) => expect(all.map(({ phase }) => phase)).not.toContain('booting'),
  )

test('a silent host is switched off, and then its instances run elsewhere', async () => {
  const [host, other] = [await addHost('1'), await addHost('2')]
  await addHost('3')
  await setMethod(host)
  const instance = await startOn(host, 'survivor')
  const lasting = await startOn(other, 'lasting')
  const left = await startOn(host, 'left', { auto_restart_policy: 'never' })
  await simulation().setLink(host.serial, false)
  await becomes(host, 'fenced')
  await until(
    () => sledOf(instance),
    (sled) => expect(sled?.id).not.toBe(host.sled_id),
  )
  await reaches(admin, instance.id, 'running')
  await reaches(admin, left.id, 'failed')
  expect(
    (await admin.call('instance_failure', { params: { instance: left.id } })).failure?.reason,
  ).toBe(instanceFailures.fenced)
  expect((await sledOf(lasting))?.id).toBe(other.sled_id)
  // Nothing was started before the power was off.
  const story = await until(
    () => kindsOf(host),
    (kinds) => expect(kinds).toContain('instance_running'),
  )
  expect(story.slice(0, 3)).toEqual(['silent', 'fencing', 'fenced'])
  expect(story.slice(3).toSorted()).toEqual([
    'instance_lost',
    'instance_lost',
    'instance_restarted',
    'instance_running',
  ])
  expect((await storyOf(instance))?.events.map(({ kind }) => kind)).toEqual(FENCED_STORY)
  expect(await storyOf(lasting)).toBeNull()
  const issues = (await admin.call('issue_list')).items.map(({ id }) => id)
  expect(issues).toContain(`host_fenced:${host.id}`)
})

const setLeases = (host: Wire.Host, values: Partial<Wire.HostFencingUpdate> = {}) =>
  admin.call('host_fencing_update', {
    ...paramsOf(host),
    body: { method: 'leases', automatic: true, ...values },
  })

test('leases prove nothing while a silent host renews them, and its death once it does not', async () => {
  const [host] = [await addHost('1'), await addHost('2')]
  await addHost('3')
  await setLeases(host)
  const instance = await startOn(host, 'survivor')
  await simulation().setLink(host.serial, false)
  await until(
    () => view(host),
    ({ fencing }) =>
      expect(fencing).toMatchObject({
        state: 'fencing',
        lease_hold: 'renewed',
        reason: leaseHoldMeanings.renewed,
        remedy: leaseHoldRemedies.renewed,
      }),
  )
  expect((await storyOf(instance))?.waiting).toBe(instanceWaits.leases)
  expect((await sledOf(instance))?.id).toBe(host.sled_id)
  // Its sled says the same, so that operators do not take its instances for lost.
  expect(await sledDetails(host)).toMatchObject({
    responding: false,
    added_host: {
      id: host.id,
      name: host.name,
      fencing: { state: 'fencing', lease_hold: 'renewed', reason: leaseHoldMeanings.renewed },
    },
  })
  const issues = async () => (await admin.call('issue_list')).items.map(({ id }) => id)
  expect(await issues()).toContain(`host_fencing_failed:${host.id}`)
  // The machine was not switched off by leases.
  expect(await simulatedSled(host)).toEqual({ down: 0 })

  await simulation().setPower(host.serial, false)
  await becomes(host, 'fenced')
  await until(
    () => sledOf(instance),
    (sled) => expect(sled?.id).not.toBe(host.sled_id),
  )
  await reaches(admin, instance.id, 'running')
  expect((await sledDetails(host)).added_host).toMatchObject({ fencing: { state: 'fenced' } })
  const { items: sleds } = await admin.call('sled_search')
  expect(sleds.filter(({ added_host }) => added_host !== null)).toHaveLength(3)
  const story = (await kindsOf(host)).filter((kind) => kind.startsWith('lease_'))
  expect([story.slice(0, 2), story.at(-1)]).toEqual([
    ['lease_waiting', 'lease_held'],
    'lease_ended',
  ])
  expect(await issues()).toContain(`host_fenced:${host.id}`)
})

test('a host that answers again keeps its leases, and operators cannot end them @long', async () => {
  const [host] = [await addHost('1'), await addHost('2')]
  await setLeases(host, { automatic: false })
  expect(await admin.refusal('host_fence', paramsOf(host))).toMatchObject({
    status: 409,
    message: fencingMessages.leasesOfLiving,
  })
  const instance = await startOn(host, 'lasting')
  await simulation().setLink(host.serial, false)
  await until(
    () => view(host),
    ({ fencing }) =>
      expect(fencing).toMatchObject({ state: 'suspect', reason: fencingHolds.notAutomatic }),
  )
  await admin.call('host_fence', paramsOf(host))
  await until(
    () => view(host),
    ({ fencing }) => expect(fencing).toMatchObject({ state: 'fencing', lease_hold: 'renewed' }),
  )
  await simulation().setLink(host.serial, true)
  await becomes(host, 'idle')
  expect((await kindsOf(host)).at(-1)).toBe('answered')
  await reaches(admin, instance.id, 'running')
})

test('leases are tried, and have no settings', async () => {
  const host = await addHost('unleased-1')
  expect(
    await admin.refusal('host_fencing_update', {
      ...paramsOf(host),
      body: { method: 'leases', automatic: true, address: 'sim-1-bmc' },
    }),
  ).toMatchObject({ status: 400 })
  await setMethod(host)
  const checkOf = (of: Wire.Host) => async () =>
    (await admin.call('host_fencing_view', paramsOf(of))).last_check
  expect(await setLeases(host)).toMatchObject({
    method: 'leases',
    address: null,
    user: null,
    has_password: false,
    checking: true,
  })
  await until(checkOf(host), (check) =>
    expect(check).toMatchObject({
      power: null,
      problem: leaseFaults.notEnforced.reason,
      remedy: leaseFaults.notEnforced.remedy,
    }),
  )
  const other = await addHost('2')
  await setLeases(other)
  await until(checkOf(other), (check) =>
    expect(check).toMatchObject({ power: null, problem: null }),
  )
})

test('a fenced host is in service again once it answers and is empty', async () => {
  const [host] = [await addHost('1'), await addHost('2')]
  await setMethod(host)
  await simulation().setLink(host.serial, false)
  await becomes(host, 'fenced')
  // Within reach, but off: nobody switches it on by itself.
  await simulation().setLink(host.serial, true)
  const sled = () => server.db.selectFrom('sled').selectAll().where('id', '=', host.sled_id!)
  expect(await sled().executeTakeFirst()).toMatchObject({ fenced: 1 })
  await simulation().setPower(host.serial, true)
  await becomes(host, 'idle')
  expect(await sled().executeTakeFirst()).toMatchObject({ fenced: 0 })
  expect((await kindsOf(host)).at(-1)).toBe('back')
  const instance = await startOn(host, 'again')
  expect((await sledOf(instance))?.id).toBe(host.sled_id)
})

test('a host that answers before it was switched off keeps its instances', async () => {
  const [host] = [await addHost('stuck-1'), await addHost('2')]
  await setMethod(host)
  const instance = await startOn(host, 'lasting')
  const before = await machines()
  await simulation().setLink(host.serial, false)
  const failing = await until(
    () => view(host),
    ({ fencing }) =>
      expect(fencing).toMatchObject({ state: 'fencing', reason: expect.any(String) }),
  )
  expect(failing.fencing.remedy).not.toBeNull()
  expect((await storyOf(instance))?.waiting).toBe(instanceWaits.fencing)
  const issues = (await admin.call('issue_list')).items.map(({ id }) => id)
  expect(issues).toContain(`host_fencing_failed:${host.id}`)
  await reaches(admin, instance.id, 'running')
  await simulation().setLink(host.serial, true)
  await becomes(host, 'idle')
  expect(await kindsOf(host)).toEqual(['silent', 'fencing', 'fencing_failed', 'answered'])
  expect(await machines()).toEqual(before)
  expect(await storyOf(instance)).toBeNull()
})

test.each([
  ['no method', fencingHolds.noMethod, async () => {}],
  [
    'only fencing by hand @long',
    fencingHolds.notAutomatic,
    async (host: Wire.Host) => setMethod(host, { automatic: false }),
  ],
  [
    'maintenance @long',
    fencingHolds.maintenance,
    async (host: Wire.Host) => {
      await setMethod(host)
      await admin.call('sled_maintenance_begin', {
        params: { sled_id: host.sled_id! },
        body: { reason: 'Fans', time_end: null, unmovable: 'leave' },
      })
    },
  ],
])('a silent host is not switched off with %s', async (_, reason, prepare) => {
  const [host] = [await addHost('1'), await addHost('2')]
  await prepare(host)
  await simulation().setLink(host.serial, false)
  await until(
    () => view(host),
    ({ fencing }) => expect(fencing).toMatchObject({ state: 'suspect', reason }),
  )
  const { events } = await admin.call('host_story', paramsOf(host))
  expect(events.at(-1)!.sentence).toBe(
    hostEventSentences.held({ detail: reason, instance: null, sled: null }),
  )
  expect(await simulatedSled(host)).toEqual({ down: 0 })
})

test('no host is switched off while most are silent, until an operator says so', async () => {
  const hosts = [await addHost('1'), await addHost('2'), await addHost('3')]
  for (const host of hosts) await setMethod(host)
  // At the same moment, as a server sees it that was cut off.
  await server.db
    .updateTable('simulated_sled')
    .set({ cut: 1 })
    .where('serial', 'in', [hosts[0]!.serial, hosts[1]!.serial])
    .execute()
  await simulation().setLink(hosts[0]!.serial, false)
  expect(isMassFailure(2, 3)).toBe(true)
  const reason = fencingHolds.mass(2, 3)
  for (const host of hosts.slice(0, 2)) {
    await until(
      () => view(host),
      ({ fencing }) => expect(fencing).toMatchObject({ state: 'suspect', reason }),
    )
  }
  const { items } = await admin.call('issue_list')
  expect(items.map(({ id }) => id)).toContain('hosts_silent_at_once:all')
  await admin.call('host_fence', paramsOf(hosts[0]!))
  await becomes(hosts[0]!, 'fenced')
  // One of two is left, which is no mass failure any more.
  await becomes(hosts[1]!, 'fenced')
})

test('an operator fences a host that answers @long', async () => {
  const [host] = [await addHost('1'), await addHost('2')]
  expect(await admin.refusal('host_fence', paramsOf(host))).toMatchObject({
    status: 409,
    message: fencingMessages.noMethod,
  })
  await setMethod(host, { automatic: false })
  const instance = await startOn(host, 'survivor')
  const fenced = await admin.call('host_fence', paramsOf(host))
  expect(fenced.fencing.state).toBe('fencing')
  await becomes(host, 'fenced')
  await until(
    () => sledOf(instance),
    (sled) => expect(sled?.id).not.toBe(host.sled_id),
  )
  await reaches(admin, instance.id, 'running')
  expect((await kindsOf(host)).slice(0, 3)).toEqual(['requested', 'fencing', 'fenced'])
  expect(await admin.refusal('host_fence', paramsOf(host))).toMatchObject({ status: 409 })
})

test('a fenced host may be expunged, and its removal forgets the password @long', async () => {
  const [host] = [await addHost('1'), await addHost('2')]
  await setMethod(host)
  await simulation().setLink(host.serial, false)
  await becomes(host, 'fenced')
  await admin.call('sled_expunge', { params: { sled_id: host.sled_id! } })
  await becomes(host, 'idle')
  await until(
    () => view(host),
    (seen) => expect(seen).toMatchObject({ state: 'expunged', sled_id: null }),
  )
  await admin.call('host_delete', paramsOf(host))
  await until(
    () => server.db.selectFrom('host_fencing').selectAll().where('id', '=', host.id).execute(),
    (rows) => expect(rows).toEqual([]),
  )
})

test('the method is checked, and says what came back', async () => {
  const host = await addHost('1')
  const fencing = () => admin.call('host_fencing_view', paramsOf(host))
  expect(await fencing()).toMatchObject({ method: 'none', has_password: false, last_check: null })
  expect(await admin.refusal('host_fencing_check', paramsOf(host))).toMatchObject({ status: 409 })
  const set = await setMethod(host)
  expect(set).toMatchObject({ method: 'redfish', has_password: true, checking: true })
  expect(JSON.stringify(set)).not.toContain('secret')
  await until(fencing, (seen) =>
    expect(seen).toMatchObject({ checking: false, last_check: { power: 'on', problem: null } }),
  )
  await setMethod(host, { password: 'wrong' })
  const refused = await until(fencing, (seen) =>
    expect(seen).toMatchObject({ checking: false, last_check: { power: null } }),
  )
  expect(refused.last_check).toMatchObject({
    problem: expect.any(String),
    remedy: expect.any(String),
  })
  const { items } = await admin.call('issue_list')
  expect(items.map(({ id }) => id)).toContain(`host_fencing_untested:${host.id}`)
  await admin.call('host_fencing_remove', paramsOf(host))
  expect(await fencing()).toMatchObject({ method: 'none', address: null, has_password: false })
  const row = await server.db.selectFrom('host_fencing').select('password').executeTakeFirst()
  expect(row).toEqual({ password: null })
})

test('a password stays only for the place that it was given for', async () => {
  const host = await addHost('1')
  await setMethod(host)
  const change = (values: Partial<Wire.HostFencingUpdate>) =>
    admin.refusal('host_fencing_update', {
      ...paramsOf(host),
      body: { method: 'redfish', automatic: true, address: 'sim-1-bmc', user: 'admin', ...values },
    })
  for (const values of [
    { address: 'elsewhere' },
    { port: 8443 },
    { verify_certificate: false },
    { method: 'ipmi' },
  ] as const) {
    expect(await change(values)).toMatchObject({
      status: 400,
      message: expect.stringContaining(fencingMessages.newPassword),
    })
  }
  await setMethod(host, { automatic: false, password: undefined })
  expect(await admin.call('host_fencing_view', paramsOf(host))).toMatchObject({
    automatic: false,
    has_password: true,
  })
})

test('continues after a kill at any point', async () => {
  const [host, other] = [await addHost('1'), await addHost('2')]
  await addHost('3')
  await setMethod(host)
  const instance = await startOn(host, 'survivor')
  const due = { reconcile_at: new Date(0).toISOString() }
  // Killed after the decision, and after the host was switched off, before that was written.
  await simulation().setLink(host.serial, false)
  await server.db
    .updateTable('simulated_sled')
    .set({ down: 1 })
    .where('serial', '=', host.serial)
    .execute()
  await server.db
    .updateTable('host_fencing')
    .set({ ...due, state: 'fencing', incident: crypto.randomUUID() })
    .where('id', '=', host.id)
    .execute()
  await setMethod(other)
  await becomes(host, 'fenced')
  await until(
    () => sledOf(instance),
    (sled) => expect(sled?.id).not.toBe(host.sled_id),
  )
  await reaches(admin, instance.id, 'running')
})

test('users of an instance see what happened, without its host', async () => {
  const [host] = [await addHost('1'), await addHost('2')]
  const instance = await startOn(host, 'survivor')
  const { caller } = await server.createUser('member', { silo: 'collaborator' })
  await simulation().setLink(host.serial, false)
  const story = await until(
    () => storyOf(instance, caller),
    (seen) => expect(seen?.waiting).toBe(instanceWaits.suspect),
  )
  expect(JSON.stringify(story)).not.toMatch(/sim-/i)
  const { sentences } = await caller.call('instance_briefing', {
    query: { instance: instance.id },
  })
  const said = sentences.map(({ parts }) => parts.map(({ text }) => text).join(''))
  expect(said[0]).toBe(`${hostSilentTitle}.`)
  expect(said.join(' ')).not.toContain('Nothing needs attention')
})
