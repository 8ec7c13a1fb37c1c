/** Briefings: how a place is doing, what to do next there, and who sees which step. */
import type { Wire } from '@steading/api'
import { DISMISSALS_MAX, FLEET_ID } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer, type User } from '../../support/harness.ts'
import { instanceRow } from '../../support/many.ts'
import { scheduleBody } from '../../support/schedules.ts'
import { stoppedInstance } from '../../support/things.ts'

let server: TestServer
let admin: Caller
let shop: Wire.Project
let viewer: User

const body = (name: string) => ({ name, description: '' })
const ofProject = (project: string, caller: Caller = admin) =>
  caller.call('project_briefing', { query: { project } })
const ofSilo = (caller: Caller = admin) => caller.call('silo_briefing')
const ofFleet = (caller: Caller = admin) => caller.call('fleet_briefing')
const ofInstance = (instance: string, caller: Caller = admin) =>
  caller.call('instance_briefing', { query: { project: 'shop', instance } })

/** The sentences as text, with the moments left out. */
const texts = ({ sentences }: Wire.Briefing) =>
  sentences.map(({ parts }) =>
    parts.map(({ text, time_told: time }) => (time ? '…' : text)).join(''),
  )
const paths = ({ sentences }: Wire.Briefing) =>
  sentences.flatMap(({ parts }) => parts.flatMap(({ path }) => path ?? []))
const stepsOf = ({ steps }: Wire.Briefing) => steps.map(({ step }) => step)
const undone = ({ steps }: Wire.Briefing) => steps.flatMap(({ step, done }) => (done ? [] : [step]))

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  shop = await admin.call('project_create', { body: body('shop') })
  viewer = await server.createUser('viewer', { projects: { [shop.id]: 'viewer' } })
})
afterAll(() => server.close())

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** A project with instances in some states. */
async function projectWith(name: string, states: readonly Wire.InstanceState[]) {
  const { id } = await admin.call('project_create', { body: body(name) })
  const rows = states.map((run_state, index) =>
    instanceRow(id, `box-${index}`, {
      run_state,
      time_run_state_updated: minutesAgo(1),
      ...(run_state === 'failed' ? { failure: 'no power' } : {}),
    }),
  )
  if (rows.length > 0) await server.db.insertInto('instance').values(rows).execute()
  return { id, rows }
}

async function fireRule(project: string, name: string, since: string) {
  const { id } = await admin.call('alert_rule_create', {
    query: { project },
    body: {
      ...body(name),
      query: 'get virtual_disk:bytes_read',
      comparison: 'above',
      threshold: 5,
      duration: 60,
      severity: 'warning',
    },
  })
  await server.db
    .updateTable('alert_rule')
    .set({ firing: 1, state: 'firing', time_state_updated: since })
    .where('id', '=', id)
    .execute()
  return id
}

describe('sentences', () => {
  const quiet = 'Nothing needs attention.'
  test.each<[string, Wire.InstanceState[], string[], string[]]>([
    ['empty', [], ['There are no instances yet.'], []],
    ['one-off', ['stopped'], ['The only instance is not running.', quiet], []],
    ['some-off', ['stopped', 'stopped'], ['None of the 2 instances is running.', quiet], []],
    [
      'one-runs',
      ['running', 'stopped'],
      ['One instance is running.', quiet],
      ['/projects/one-runs/instances?state=running'],
    ],
    [
      'many-run',
      ['running', 'running', 'stopped'],
      ['2 instances are running.', quiet],
      ['/projects/many-run/instances?state=running'],
    ],
    [
      'one-fails',
      ['failed', 'running'],
      ['Instance box-0 has failed.', 'One instance is running.'],
      [
        '/projects/one-fails/instances/box-0/storage',
        '/projects/one-fails/instances?state=running',
      ],
    ],
    [
      'many-fail',
      ['failed', 'failed'],
      ['2 instances have failed.', 'None of the 2 instances is running.'],
      ['/projects/many-fail/instances?state=failed'],
    ],
  ])('of project %s', async (name, states, said, links) => {
    const { id } = await projectWith(name, states)
    const briefing = await ofProject(name)
    expect(briefing.place).toBe(id)
    expect(texts(briefing)).toEqual(said)
    expect(paths(briefing)).toEqual(links)
    expect((await admin.call('project_overview', { query: { project: name } })).briefing).toEqual(
      briefing,
    )
    await server.db.deleteFrom('instance').where('project_id', '=', id).execute()
  })

  test('of alerts, with the moment of the first', async () => {
    await projectWith('loud', ['running'])
    const [early, late] = [minutesAgo(30), minutesAgo(10)]
    await fireRule('loud', 'slow', late)
    const one = await ofProject('loud')
    expect(texts(one)).toEqual(['One instance is running.', 'One alert has been firing since ….'])
    expect(paths(one).at(-1)).toBe('/projects/loud/alert-rules/slow')
    await fireRule('loud', 'slower', early)
    const two = await ofProject('loud')
    expect(texts(two).at(-1)).toBe('2 alerts are firing, the first since ….')
    expect(two.sentences.at(-1)!.parts.find((part) => part.time_told)!.time_told).toBe(early)
    expect(paths(two).at(-1)).toBe('/projects/loud/overview')
    expect(two.sentences.at(-1)!.tone).toBe('attention')
    await server.db
      .updateTable('alert_rule')
      .set({ severity: 'critical' })
      .where('name', '=', 'slower')
      .execute()
    expect((await ofProject('loud')).sentences.at(-1)!.tone).toBe('failed')
  })

  test('of a paused machine, which only looks as if it ran', async () => {
    const { rows } = await projectWith('paused', ['running'])
    await server.db
      .updateTable('instance')
      .set({ pause: 'no_space', time_paused: minutesAgo(2) })
      .where('id', '=', rows[0]!.id)
      .execute()
    expect(texts(await ofProject('paused'))).toEqual([
      'One instance is running.',
      'Instance box-0 is paused.',
    ])
  })

  test('of instances that are being repaired', async () => {
    await projectWith('mending', ['repairing', 'running'])
    const briefing = await ofProject('mending')
    expect(texts(briefing)).toEqual([
      'One instance is running.',
      'Instance box-0 is being repaired.',
    ])
    expect(briefing.sentences.at(-1)!.tone).toBe('attention')
  })

  test('of a silo, as far as the caller may read it', async () => {
    const siloId = await server.createSilo('quiet-silo')
    const founder = await server.createUser('founder', { silo: 'admin' }, siloId)
    const stranger = await server.createUser('stranger', {}, siloId)
    expect(texts(await ofSilo(founder.caller))).toEqual(['There are no projects yet.'])
    expect(texts(await ofSilo(stranger.caller))).toEqual(['You have no role in a project yet.'])
    const { id } = await founder.caller.call('project_create', { body: body('first') })
    await founder.caller.call('project_create', { body: body('second') })
    expect(texts(await ofSilo(founder.caller))).toEqual(['There are no instances yet.'])
    await server.db
      .insertInto('instance')
      .values(
        instanceRow(id, 'web', { run_state: 'failed', time_run_state_updated: minutesAgo(1) }),
      )
      .execute()
    const failing = await ofSilo(founder.caller)
    expect(texts(failing)).toEqual([
      'Instance web of project first has failed.',
      'The only instance is not running.',
    ])
    expect(paths(failing)).toEqual(['/projects/first/instances/web/storage'])
    await server.grant({ id: stranger.id }, 'project', id, 'viewer')
    const member = await server.signInAs(stranger.id)
    expect(texts(await ofSilo(member))).toEqual([
      'Instance web of project first has failed.',
      'The only instance in your projects is not running.',
    ])
    // Another silo says nothing of it.
    expect(JSON.stringify(await ofSilo())).not.toContain('first has failed')
  })

  test('of the fleet', async () => {
    const { items } = await admin.call('sled_list')
    expect(texts(await ofFleet())).toContain(`${items.length} sleds are in service.`)
    await server.db
      .updateTable('sled')
      .set({ responding: 0 })
      .where('id', '=', items[0]!.id)
      .execute()
    const said = texts(await ofFleet())
    expect(said).toContain(
      `${items.length - 1} of ${items.length} sleds ${items.length === 2 ? 'is' : 'are'} in service.`,
    )
    expect(said).not.toContain('Nothing needs attention.')
    await server.db
      .updateTable('sled')
      .set({ responding: 1 })
      .where('id', '=', items[0]!.id)
      .execute()
  })

  test('of an instance', async () => {
    const { id } = await stoppedInstance(admin, { project: 'shop' }, 'web')
    expect(texts(await ofInstance('web'))).toEqual(['Stopped since ….', 'Nothing needs attention.'])
    expect((await ofInstance('web')).place).toBe(id)
    const set = (values: object) =>
      server.db.updateTable('instance').set(values).where('id', '=', id).execute()
    const { items } = await admin.call('sled_list')
    const { id: sledId, baseboard } = items[0]!
    await set({ run_state: 'running', sled_id: sledId })
    const [running] = (await ofInstance('web')).sentences
    expect(texts(await ofInstance('web'))[0]).toBe(`Running since … on sled ${baseboard.serial}.`)
    expect(running!.parts.at(-2)!.path).toBe(`/system/inventory/sleds/${sledId}/instances`)
    // Members do not learn of sleds.
    expect(texts(await ofInstance('web', viewer.caller))[0]).toBe('Running since ….')
    await set({ run_state: 'stopping', time_run_state_updated: minutesAgo(60) })
    expect(texts(await ofInstance('web', viewer.caller))).toEqual([
      'The instance is stuck in state stopping.',
      'Stopping since ….',
    ])
    await set({ run_state: 'failed', failure: 'no power' })
    expect(texts(await ofInstance('web', viewer.caller))).toEqual(['Failed since ….'])
    await set({ run_state: 'running', pause: 'io_error', time_paused: minutesAgo(1) })
    expect(texts(await ofInstance('web', viewer.caller))).toEqual([
      'The guest is paused: one of its disks fails on the host.',
      'Running since ….',
    ])
    await set({ run_state: 'stopped', pause: null, sled_id: null, failure: null })
    const { status } = await (
      await server.createUser('outsider')
    ).caller.refusal('instance_briefing', { query: { instance: id } })
    expect(status).toBe(404)
  })
})

describe('first steps', () => {
  test('of an empty project, until they are done', async () => {
    const empty = await admin.call('project_create', { body: body('fresh') })
    const { caller } = await server.createUser('beginner', { silo: 'collaborator' })
    const briefing = await ofProject('fresh', caller)
    expect(stepsOf(briefing)).toEqual(['image', 'subnet', 'ssh_key', 'instance', 'schedule'])
    expect(undone(briefing)).toEqual(['ssh_key', 'instance', 'schedule'])
    expect(briefing.steps.at(-2)).toMatchObject({
      action: 'Create an instance',
      path: '/projects/fresh/instances-new',
    })
    await caller.call('current_user_ssh_key_create', {
      body: { ...body('mine'), public_key: 'ssh-ed25519 A' },
    })
    await stoppedInstance(caller, { project: 'fresh' }, 'first')
    await caller.call('schedule_create', {
      query: { project: 'fresh' },
      body: scheduleBody({ name: 'nightly', instances: ['first'] }),
    })
    expect(undone(await ofProject('fresh', caller))).toEqual([])
    // Those without the rights for a step do not see it.
    const member = await server.createUser('reader', { projects: { [empty.id]: 'viewer' } })
    expect(stepsOf(await ofProject('fresh', member.caller))).toEqual([])
    const builder = await server.createUser('builder', {
      projects: { [empty.id]: 'collaborator' },
    })
    // The images of the silo are for members of the project as the image policy says.
    expect(undone(await ofProject('fresh', builder.caller))).not.toContain('image')
    const policy = (members_use_silo_images: boolean) =>
      admin.call('image_policy_update', { body: { members_use_silo_images } })
    await policy(false)
    expect(undone(await ofProject('fresh', builder.caller))).toContain('image')
    await policy(true)
    const operator = await ofProject('fresh')
    expect(stepsOf(operator)).toContain('ip_pool')
  })

  test('of a silo', async () => {
    const siloId = await server.createSilo('new-silo')
    const founder = await server.createUser('first-founder', { silo: 'admin' }, siloId)
    const helper = await server.createUser('helper', { silo: 'viewer' }, siloId)
    expect(undone(await ofSilo(founder.caller))).toEqual(['project', 'image'])
    expect(stepsOf(await ofSilo(helper.caller))).toEqual([])
    await server.createImage('os', null, siloId)
    await founder.caller.call('project_create', { body: body('first') })
    expect(undone(await ofSilo(founder.caller))).toEqual([])
    await server.db
      .updateTable('silo_user')
      .set({ password_hash: 'x', password_generated: 1 })
      .where('id', '=', founder.id)
      .execute()
    expect(undone(await ofSilo(founder.caller))).toEqual(['password'])
    // The first administrator of a fleet sets the quotas as well.
    expect(stepsOf(await ofSilo())).toContain('quota')
  })

  test('of the fleet', async () => {
    const operator = await server.createUser('fleet-viewer', { fleet: 'viewer' })
    expect(stepsOf(await ofFleet())).toEqual(['real_machines', 'ip_pool', 'second_silo'])
    expect(stepsOf(await ofFleet(operator.caller))).toEqual([])
  })

  test('stay dismissed for their user alone, and come back', async () => {
    const { id } = await admin.call('project_create', { body: body('known') })
    const { caller } = await server.createUser('expert', { silo: 'collaborator' })
    const first = await caller.call('dismissal_create', { body: { place: id } })
    expect(await caller.call('dismissal_create', { body: { place: id } })).toEqual(first)
    expect((await ofProject('known', caller)).dismissed).toBe(true)
    expect((await ofProject('known')).dismissed).toBe(false)
    await caller.call('dismissal_create', { body: { place: server.siloId } })
    expect((await ofSilo(caller)).dismissed).toBe(true)
    await caller.call('dismissal_delete', { params: { place: id } })
    expect((await ofProject('known', caller)).dismissed).toBe(false)
    const again = await caller.refusal('dismissal_delete', { params: { place: id } })
    expect(again.status).toBe(404)
  })

  test('are dismissed only in places that the caller may read, and not without bound', async () => {
    const { id, caller } = await server.createUser('collector')
    for (const place of [shop.id, FLEET_ID, crypto.randomUUID()]) {
      expect((await caller.refusal('dismissal_create', { body: { place } })).status).toBe(404)
    }
    const old = Array.from({ length: DISMISSALS_MAX }, (_, index) => ({
      id: crypto.randomUUID(),
      user_id: id,
      time_created: new Date(index * 1000).toISOString(),
    }))
    await server.db.insertInto('dismissal').values(old).execute()
    await caller.call('dismissal_create', { body: { place: server.siloId } })
    const left = await server.db
      .selectFrom('dismissal')
      .select('id')
      .where('user_id', '=', id)
      .execute()
    expect(left).toHaveLength(DISMISSALS_MAX)
    expect(left.map((row) => row.id)).not.toContain(old[0]!.id)
  })
})
