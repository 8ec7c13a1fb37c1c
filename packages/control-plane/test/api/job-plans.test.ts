/** Plans of jobs: their steps, targets and refusals. */
import type { Wire } from '@steading/api'
import {
  errors,
  floatingIpCannotDelete,
  instanceActions,
  jobMessages,
  type JobTargetKind,
  jobTargetKinds,
  isInProject,
  kindsWithinProject,
  snapshotCannotDelete,
} from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addBundle } from '../support/bundles.ts'
import type { Caller } from '../support/caller.ts'
import type { TestServer } from '../support/harness.ts'
import { itemsOf, jobBody, outcomes, plan, targets } from '../support/jobs.ts'
import { instanceRow, storeRows } from '../support/many.ts'
import { alertRuleBody } from '../support/alerts.ts'
import { scheduleBody } from '../support/schedules.ts'
import { templateBody } from '../support/templates.ts'
import { addSubnetPool } from '../support/networks.ts'
import { portSettings } from '../support/uplinks.ts'
import { affinityBody, detachedDisk, reaches, stoppedInstance } from '../support/things.ts'
import { idsOf, startWork, workThings } from '../support/work.ts'

let server: TestServer
let admin: Caller
let projectId: string

beforeAll(async () => {
  ;({ server, admin, projectId } = await startWork())
})
afterAll(() => server.close())

const { query, fresh, stopped, running, aDisk, stateOf } = workThings(() => admin)

describe('a plan', () => {
  test('describes the steps, and carries out none', async () => {
    const boxes = [await stopped(), await stopped()]
    const job = await plan(admin, 'start', 'instance', idsOf(boxes))
    expect(job).toMatchObject({
      action: 'start',
      kind: 'instance',
      targets: 2,
      name: null,
      project_id: projectId,
      project_name: 'work',
      state: 'planned',
      counts: { waiting: 2, refused: 0, running: 0, succeeded: 0, failed: 0, cancelled: 0 },
      time_started: null,
      time_finished: null,
    })
    expect(await itemsOf(admin, job)).toEqual(
      boxes.map(({ id, name }, position) => ({
        position,
        stage: 0,
        step: 'start',
        thing: { kind: 'instance', id, name, inside: [] },
        makes: null,
        state: 'waiting',
        reason: null,
        time_started: null,
        time_finished: null,
      })),
    )
    expect(await admin.call('job_view', { params: { job: job.id } })).toEqual(job)
    const listed = await admin.call('job_list')
    expect(listed.items.map(({ id }) => id)).not.toContain(job.id)
    expect(await stateOf(boxes[0]!.id)).toBe('stopped')
  })

  test('is named after its only target, even if that is given twice', async () => {
    const box = await stopped()
    const job = await plan(admin, 'start', 'instance', targets(box.id, box.id.toUpperCase()))
    expect(job).toMatchObject({ targets: 1, name: box.name, counts: { waiting: 1 } })
  })

  test('refuses steps against the rules, each with its reason', async () => {
    const up = await running()
    const down = await stopped()
    const both = idsOf([up, down])
    const reasons = async (action: 'start' | 'stop' | 'reboot' | 'delete') =>
      (await itemsOf(admin, await plan(admin, action, 'instance', both))).map((item) => item.reason)
    // Refused items come first.
    expect(await reasons('start')).toEqual([instanceActions.start.otherwise, null])
    expect(await reasons('stop')).toEqual([instanceActions.stop.otherwise, null])
    expect(await reasons('reboot')).toEqual([instanceActions.reboot.otherwise, null])
    expect(await reasons('delete')).toEqual([instanceActions.delete.otherwise, null])
  })

  test('refuses to delete disks, addresses, snapshots and projects that are in use', async () => {
    const disk = await detachedDisk(admin, query, fresh('disk'))
    const loose = await detachedDisk(admin, query, fresh('disk'))
    const box = await stopped({ disks: [{ type: 'attach', name: disk.name }] })
    const body = { name: fresh('ip'), description: '' }
    const ip = await admin.call('floating_ip_create', { query, body })
    await admin.call('floating_ip_attach', {
      params: { floating_ip: ip.id },
      body: { kind: 'instance', parent: box.id },
    })
    const snapshot = await server.createSnapshot(fresh('snap'), projectId)
    await server.db
      .updateTable('snapshot')
      .set({ state: 'creating' })
      .where('id', '=', snapshot.id)
      .execute()
    const reasons = async (...body: Parameters<typeof jobBody>) =>
      (await itemsOf(admin, await plan(admin, ...body))).map((item) => item.reason)
    expect(await reasons('delete', 'disk', idsOf([disk, loose]))).toEqual([
      'Disk must be detached before it can be deleted',
      null,
    ])
    expect(await reasons('delete', 'floating_ip', targets(ip.id))).toEqual([
      floatingIpCannotDelete(box.id),
    ])
    expect(await reasons('delete', 'snapshot', targets(snapshot.id))).toEqual([
      snapshotCannotDelete('creating'),
    ])
    const { message } = await admin.refusal('project_delete', { params: { project: projectId } })
    expect(await reasons('delete', 'project', targets(projectId))).toEqual([message])
  })

  test('refuses steps without permission', async () => {
    const { caller } = await server.createUser(fresh('viewer'), {
      projects: { [projectId]: 'viewer' },
    })
    const box = await stopped({ disks: [{ type: 'attach', name: (await aDisk()).name }] })
    const forbidden = errors.forbidden().message
    for (const action of ['start', 'snapshot', 'delete'] as const) {
      const job = await plan(caller, action, 'instance', targets(box.id))
      expect((await itemsOf(caller, job)).map((item) => item.reason)).toEqual([forbidden])
    }
    const image = await server.createImage(fresh('image'), projectId)
    const job = await plan(caller, 'delete', 'image', targets(image.id))
    expect(await outcomes(caller, job)).toEqual([`delete ${image.name}: refused, ${forbidden}`])
    const whole = await plan(caller, 'delete', 'project', targets(projectId))
    expect(await outcomes(caller, whole)).toEqual([`delete work: refused, ${forbidden}`])
  })

  test('cannot be started if all items are refused', async () => {
    const job = await plan(admin, 'stop', 'instance', targets((await stopped()).id))
    expect(await admin.refusal('job_start', { params: { job: job.id } })).toEqual({
      status: 400,
      error_code: 'InvalidRequest',
      message: jobMessages.nothingToDo,
    })
  })
})

describe('a job cannot be planned', () => {
  const refusal = (body: Wire.JobCreate, caller = admin) => caller.refusal('job_create', { body })
  const invalid = (message: string) => ({ status: 400, error_code: 'InvalidRequest', message })

  test('for an unsupported action of its kind', async () => {
    const body = jobBody('start', 'disk', targets((await aDisk()).id))
    expect(await refusal(body)).toEqual(invalid('action: disks have no start'))
  })

  test('without targets', async () => {
    expect(await refusal(jobBody('start', 'instance', targets()))).toEqual(
      invalid('target: there are no instances to act on'),
    )
    const none = { type: 'matching', query: { search: 'nobody-is-called-that' } } as const
    expect(await refusal(jobBody('start', 'instance', none))).toEqual(
      invalid('target: there are no instances to act on'),
    )
  })

  test('for things that are missing, elsewhere or hidden', async () => {
    const box = await stopped()
    const body = { name: fresh('other'), description: '' }
    const other = await admin.call('project_create', { body })
    const missing = (kind: string, id: string) => ({
      status: 404,
      error_code: 'ObjectNotFound',
      message: `not found: ${kind} with id "${id}"`,
    })
    const nobody = crypto.randomUUID()
    expect(await refusal(jobBody('start', 'instance', targets(box.id, nobody)))).toEqual(
      missing('instance', nobody),
    )
    expect(await refusal(jobBody('start', 'instance', targets(box.id), other.id))).toEqual(
      missing('instance', box.id),
    )
    const stranger = await server.createUser(fresh('stranger'))
    expect(
      await refusal(jobBody('start', 'instance', targets(box.id), projectId), stranger.caller),
    ).toEqual(missing('project', projectId))
    expect(
      await refusal(jobBody('delete', 'project', targets(projectId)), stranger.caller),
    ).toEqual(missing('project', projectId))
    const image = await server.createImage(fresh('image'), null)
    expect(
      await refusal(jobBody('delete', 'image', targets(image.id), null), stranger.caller),
    ).toEqual(missing('image', image.id))
  })

  test('with or without a project, against the rule for its kind', async () => {
    const box = await stopped()
    expect(await refusal(jobBody('start', 'instance', targets(box.id), null))).toEqual(
      invalid('project: needed for a job about instances'),
    )
    expect(await refusal(jobBody('delete', 'project', targets(projectId), 'work'))).toEqual(
      invalid('project: not for a job about projects'),
    )
  })

  test('with options that are only for deletions', async () => {
    const body = jobBody('start', 'instance', targets((await stopped()).id))
    expect(await refusal({ ...body, chain: true })).toEqual(invalid('chain: only to delete'))
    expect(await refusal({ ...body, with: ['disk'] })).toEqual(invalid('with: only to delete'))
  })
})

describe('targets by search', () => {
  test('are the results of the list, by name', async () => {
    const word = fresh('match')
    const boxes = []
    for (const name of ['c', 'a', 'b']) {
      boxes.push(await stoppedInstance(admin, query, `${word}-${name}`))
    }
    await admin.call('instance_start', { params: { instance: boxes[0]!.id } })
    await reaches(admin, boxes[0]!.id, 'running')
    const searched = { search: word.toUpperCase(), state: 'stopped,failed' }
    const list = await admin.call('instance_search', { query: { ...query, ...searched } })
    const target = { type: 'matching', query: searched } as const
    const job = await plan(admin, 'start', 'instance', target)
    expect((await itemsOf(admin, job)).map(({ thing }) => thing.id)).toEqual(
      list.items.map(({ id }) => id),
    )
    expect(list.items.map(({ name }) => name)).toEqual([`${word}-a`, `${word}-b`])
  })

  test('can be of every kind', async () => {
    const [word, other] = [fresh('kind'), fresh('apart')]
    const disk = await detachedDisk(admin, query, `${other}-disk`)
    await addSubnetPool(server.db, `${other}-pool`, ['203.0.113.0/28'], {
      siloId: server.siloId,
      isDefault: true,
    })
    const [sled] = (await admin.call('sled_list')).items
    const places = { vpc: other, router: other }
    for (const [number, name] of [other, word].entries()) {
      const about = { name, description: '' }
      await stoppedInstance(admin, query, name)
      await detachedDisk(admin, query, name)
      await admin.call('snapshot_create', { query, body: { ...about, disk: disk.id } })
      await server.createImage(name, projectId)
      await server.createImage(`${name}-silo`, null)
      await admin.call('floating_ip_create', { query, body: about })
      await admin.call('affinity_group_create', { query, body: affinityBody(name) })
      await admin.call('anti_affinity_group_create', { query, body: affinityBody(`${name}-anti`) })
      await admin.call('project_create', { body: about })
      await admin.call('external_subnet_create', {
        query,
        body: { ...about, allocator: { type: 'auto', prefix_length: 32 } },
      })
      await admin.call('probe_create', { query, body: { ...about, sled: sled!.id } })
      await admin.call('alert_rule_create', { query, body: alertRuleBody(about) })
      await admin.call('schedule_create', { query, body: scheduleBody({ name, disks: [name] }) })
      await admin.call('instance_template_create', { query, body: templateBody(name) })
      await admin.call('instance_template_create', { body: templateBody(name) })
      await admin.call('service_account_create', { query, body: about })
      await admin.call('service_account_create', { body: about })
      await admin.call('system_alert_rule_create', { body: alertRuleBody(about) })
      await admin.call('system_ip_pool_create', { body: about })
      await admin.call('system_subnet_pool_create', { body: { ...about, ip_version: 'v4' } })
      await admin.call('networking_switch_port_settings_create', { body: portSettings(about) })
      await admin.call('webhook_receiver_create', {
        body: { ...about, endpoint: 'https://1.1.1.1/', secrets: ['sesame'], subscriptions: [] },
      })
      // Bundles have no names; this one is found by its comment.
      await addBundle(admin, name)
      await admin.call('vpc_create', { query, body: { ...about, dns_name: name } })
      const inVpc = { ...query, vpc: other }
      await admin.call('internet_gateway_create', { query: inVpc, body: about })
      await admin.call('vpc_router_create', { query: inVpc, body: about })
      await admin.call('vpc_subnet_create', {
        query: inVpc,
        body: { ...about, ipv4_block: `10.9.${number}.0/24` },
      })
      await admin.call('vpc_router_route_create', {
        query: { ...inVpc, router: other },
        body: {
          ...about,
          destination: { type: 'ip', value: '10.0.0.1' },
          target: { type: 'drop' },
        },
      })
    }
    // Another one of the same name, deleted.
    const keep = (restorable_hours: number) =>
      admin.call('deletion_policy_update', { body: { restorable_hours } })
    await keep(1)
    await admin.call('affinity_group_delete', { params: { affinity_group: word }, query })
    await keep(0)
    await admin.call('affinity_group_create', { query, body: affinityBody(word) })
    const named: Partial<Record<JobTargetKind, unknown>> = {
      anti_affinity_group: `${word}-anti`,
      support_bundle: expect.stringMatching(/^support-bundle-/),
    }
    // Providers are chosen in a silo, and have tests of their own.
    const kinds = jobTargetKinds.filter((kind) => !kind.endsWith('_identity_provider'))
    for (const kind of kinds) {
      const place = isInProject(kind) ? query.project : null
      const within = kindsWithinProject(kind).map((above) => above.replace('vpc_router', 'router'))
      const target = {
        type: 'matching',
        query: {
          search: word,
          ...Object.fromEntries(within.map((above) => [above, places[above as 'vpc']])),
        },
      } as const
      const found = await itemsOf(admin, await plan(admin, 'delete', kind, target, place))
      const name = named[kind] ?? word
      expect(found.map(({ thing }) => thing)).toEqual([
        { kind, id: expect.any(String) as string, name, inside: within.map(() => other) },
      ])
    }
    const target = { type: 'matching', query: { search: word } } as const
    const ofSilo = await itemsOf(admin, await plan(admin, 'delete', 'image', target, null))
    expect(ofSilo.map(({ thing }) => thing.name)).toEqual([`${word}-silo`])
  })

  test('are not limited to one page', async () => {
    const body = { name: fresh('large'), description: '' }
    const large = await admin.call('project_create', { body })
    const rows = Array.from({ length: 4_001 }, (_, i) => instanceRow(large.id, `i-${i}`))
    await storeRows(server.db, 'instance', rows)
    const target = { type: 'matching', query: {} } as const
    const job = await plan(admin, 'delete', 'instance', target, large.name)
    expect(job).toMatchObject({ targets: 4_001, counts: { waiting: 4_001 } })
    const params = { job: job.id }
    const names: string[] = []
    let page = await admin.call('job_item_list', { params, query: { limit: 1_500 } })
    while (page.items.length > 0) {
      names.push(...page.items.map(({ thing }) => thing.name))
      page = await admin.call('job_item_list', { params, query: { page_token: page.next_page! } })
    }
    expect(names).toEqual(rows.map(({ name }) => name).sort())
    await admin.call('job_delete', { params })
    const rest = server.db.selectFrom('job_item').select('position').where('job_id', '=', job.id)
    await expect.poll(() => rest.execute()).toEqual([])
  })

  test('are refused like the search of the list', async () => {
    const refused = async (search: Record<string, string>) => {
      const body = jobBody('start', 'instance', { type: 'matching', query: search })
      return admin.refusal('job_create', { body })
    }
    const list = (search: object) =>
      admin.refusal('instance_search', { query: { ...query, ...search } as never })
    expect(await refused({ state: 'asleep' })).toEqual(await list({ state: 'asleep' }))
    const long = 'x'.repeat(300)
    expect(await refused({ search: long })).toEqual(await list({ search: long }))
    expect(await refused({ colour: 'red' })).toEqual({
      status: 400,
      error_code: 'InvalidRequest',
      message: 'target: unknown query parameter `colour`, expected one of `search`, `tag`, `state`',
    })
  })

  test('are projects that the caller may list', async () => {
    const body = jobBody('delete', 'project', { type: 'matching', query: { search: 'work' } })
    const { caller } = await server.createUser(fresh('stranger'))
    expect(await caller.refusal('job_create', { body })).toMatchObject({ status: 403 })
    const viewer = await server.createUser(fresh('viewer'), { silo: 'viewer' })
    const job = await viewer.caller.call('job_create', { body })
    expect(job).toMatchObject({ name: 'work', counts: { refused: 1 } })
  })
})
