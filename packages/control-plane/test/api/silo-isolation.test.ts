/**
 * Isolation of silos: every operation of the table, called on things of silo `main` by callers with
 * every role in another silo and in its project. They get a 404 or a 403, and no answer and no
 * event contains the id of anything in `main`.
 */
import { type OperationId, operationTable } from '@steading/api'
import { access, type Action, type KindName, projectRoles, siloRoles } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { askForSocket } from '../support/attempts.ts'
import { type CallArgs, type Caller, locationOf } from '../support/caller.ts'
import { EventStream } from '../support/event-stream.ts'
import { startTestServer, type TestServer } from '../support/harness.ts'
import { probes } from '../support/probes/index.ts'
import type { Probe } from '../support/probes/probe.ts'
import { createWorld, ids, PROJECT } from '../support/probes/world.ts'
import { long } from '../support/long.ts'
import { blankDisk } from '../support/things.ts'

let server: TestServer
let elsewhere: string
/** Role → a caller of the other silo. */
const strangers = new Map<string, Caller>()
/** The events of callers with the strongest roles there. */
const streams: EventStream[] = []

beforeAll(async () => {
  server = await startTestServer({ multicast: true })
  await createWorld(server)
  elsewhere = await server.createSilo('neighbours')
  const admin = (await server.createUser('their-admin', { silo: 'admin' }, elsewhere)).caller
  strangers.set('silo.admin', admin)
  const body = { name: 'theirs', description: '' }
  const project = await admin.call('project_create', { body })
  const add = async (role: string, grants: object) =>
    strangers.set(role, (await server.createUser(`their-${role}`, grants, elsewhere)).caller)
  await add('none', {})
  // In `npm test` the strongest roles and none; the others may do less.
  for (const role of long ? siloRoles.slice(1) : []) await add(`silo.${role}`, { silo: role })
  for (const role of long ? projectRoles : projectRoles.slice(0, 1)) {
    await add(`project.${role}`, { projects: { [project.id]: role } })
  }
  for (const role of ['silo.admin', 'project.admin', 'none']) {
    const stream = new EventStream(await strangers.get(role)!.fetch('/x/v1/events'))
    await stream.block()
    streams.push(stream)
  }
})
afterAll(async () => {
  for (const stream of streams) await stream.close()
  await server.close()
})

/** The ids of everything in `main`. */
async function idsInMain(): Promise<Set<string>> {
  const { db, siloId } = server
  const projects = db.selectFrom('project').select('id').where('silo_id', '=', siloId)
  const inSilo = (['project', 'silo_user', 'silo_group', 'image'] as const).map((table) =>
    db
      .selectFrom(table as 'project')
      .select('id')
      .where('silo_id', '=', siloId),
  )
  const inProjects = (['instance', 'disk', 'snapshot', 'vpc', 'external_ip'] as const).map(
    (table) =>
      db
        .selectFrom(table as 'disk')
        .select('id')
        .where('project_id', 'in', projects),
  )
  const interfaces = db
    .selectFrom('network_interface')
    .select('network_interface.id')
    .innerJoin('instance', 'instance.id', 'network_interface.instance_id')
    .where('instance.project_id', 'in', projects)
  const found = new Set([siloId])
  for (const query of [...inSilo, ...inProjects, interfaces]) {
    for (const { id } of await query.execute()) found.add(id)
  }
  return found
}

const uuids = (text: string): string[] =>
  text.match(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g) ?? []

interface Told {
  status: number
  /** The whole answer. */
  text: string
}

async function ask(caller: Caller, id: OperationId, args: CallArgs<OperationId>): Promise<Told> {
  const { method, success, websocket } = operationTable[id]
  const path = locationOf(id, args)
  if (websocket) {
    const { status, body } = await askForSocket(caller, path)
    return { status, text: JSON.stringify(body) }
  }
  if (success.contentType) {
    const response = await caller.fetch(path, { method })
    const isStream = response.ok && success.contentType === 'text/event-stream'
    if (isStream) await response.body?.cancel()
    return { status: response.status, text: isStream ? '' : await response.text() }
  }
  const { status, body } = await caller.send(method, path, args)
  return { status, text: JSON.stringify(body ?? '') }
}

/** Whether a call names a thing in `main`. */
const isAboutMain = ({ bodyNames }: Probe, { params, query }: CallArgs<OperationId>) =>
  Boolean(bodyNames) ||
  // The name of a metric does not name a thing.
  Object.keys(params ?? {}).some((name) => name !== 'metric_name') ||
  ['project', 'silo', 'instance', 'vpc', 'disk', 'group'].some((name) => name in (query ?? {}))

/** Whether a call reads things that belong to no silo. */
const isForAll = (permission: (typeof operationTable)[OperationId]['permission']): boolean =>
  Object.entries(permission as Record<KindName, Action>).every(([kind, action]) =>
    access[kind as KindName][action].includes('any.user'),
  )

/** Ids in the caller's own request are not secret; log entries mention such attempts. */
const leaksOf = (told: Told, said: string, inMain: Set<string>): string[] =>
  uuids(told.text).filter((id) => inMain.has(id) && !said.includes(id))

const cases = (Object.entries(probes) as [OperationId, Probe | Record<string, Probe>][])
  // Public operations take no credentials, SCIM operations those of a silo's identity provider.
  .filter(([id]) => !['public', 'scim'].includes(operationTable[id].permission as string))
  .flatMap(([id, probe]): [string, OperationId, Probe][] =>
    typeof probe.args === 'function'
      ? [[id, id, probe as Probe]]
      : Object.entries(probe as Record<string, Probe>).map(([how, one]) => [
          `${id} ${how}`,
          id,
          one,
        ]),
  )

describe('callers of another silo', () => {
  /** All requests of these callers so far. */
  let said = ''

  test.each(cases)('get nothing by %s', async (_, id, probe) => {
    const { method, permission } = operationTable[id]
    const args = await probe.args()
    const about = isAboutMain(probe, args)
    // Changes of their own things do not concern `main`.
    if (!about && method !== 'GET') return
    said += locationOf(id, args) + JSON.stringify(args.body ?? '')
    const asked = [...strangers].map(async ([role, caller]) => {
      return [role, await ask(caller, id, args)] as const
    })
    const answers = await Promise.all(asked)
    const inMain = await idsInMain()
    expect(answers.flatMap(([, told]) => leaksOf(told, said, inMain))).toEqual([])
    if (!about || permission === 'session' || isForAll(permission)) return
    expect(answers.filter(([, { status }]) => ![403, 404].includes(status))).toEqual([])
  })

  /** Calls that all users may make about their own things, about others'. */
  const own: [OperationId, () => CallArgs<OperationId>, number][] = [
    ['star_create', () => ({ body: { kind: 'disk', id: ids.data } }), 404],
    ['history_list', () => ({ query: { kind: 'disk', id: ids.data } }), 404],
    ['history_list', () => ({ query: { kind: 'project', id: ids.project } }), 404],
    ['view_list', () => ({ query: { list: 'disk', project: ids.project } }), 404],
    [
      'view_create',
      () => ({ body: { name: 'spy', list: 'disk', query: {}, project: ids.project } }),
      404,
    ],
    ['user_list', () => ({ query: { group: ids.group } }), 404],
  ]
  test.each(own)('get nothing by %s about the things of others', async (id, args, status) => {
    for (const caller of strangers.values()) {
      expect((await ask(caller, id, args())).status).toBe(status)
    }
  })

  test('find nothing, by name, by id and by address', async () => {
    const { items } = await server.admin.call('instance_external_ip_list', {
      params: { instance: ids.box },
    })
    for (const text of [PROJECT, 'box', ids.box, ids.data, items[0]!.ip]) {
      expect((await server.admin.call('find', { query: { text } })).items).not.toEqual([])
      for (const caller of strangers.values()) {
        expect((await caller.call('find', { query: { text } })).items).toEqual([])
      }
    }
  })

  test('plan no jobs with things of others', async () => {
    const body = {
      action: 'delete',
      kind: 'disk',
      target: { type: 'ids', ids: [ids.data] },
    } as const
    for (const caller of strangers.values()) {
      const { text } = await ask(caller, 'job_create', { body })
      expect(text).not.toContain('"data"')
    }
    await server.admin.call('disk_view', { params: { disk: ids.data } })
  })

  test('see only their own silo in the audit log, and do not appear in that of the other', async () => {
    const admin = strangers.get('silo.admin')!
    const { items } = await admin.call('audit_entry_list', { query: { limit: 10_000 } })
    expect(items).not.toEqual([])
    const silos = new Set(items.map(({ user }) => user?.silo_id))
    expect([...silos].filter((id) => id !== undefined && id !== elsewhere)).toEqual([])
    const theirAdmin = (await server.createUser('auditor', { silo: 'admin' })).caller
    const inMain = await theirAdmin.call('audit_entry_list', { query: { limit: 10_000 } })
    expect(inMain.items.filter(({ user }) => user?.silo_id === elsewhere)).toEqual([])
  })

  test('receive no events', async () => {
    // Earlier changes in `main` would be delivered before this one.
    await server.admin.call('disk_create', {
      query: { project: PROJECT },
      body: blankDisk('unseen'),
    })
    const query = { project: 'theirs' }
    await strangers.get('silo.admin')!.call('disk_create', { query, body: blankDisk('last') })
    const inMain = await idsInMain()
    const [ofAdmin, ofProject] = streams
    for (const stream of [ofAdmin!, ofProject!]) {
      let name: string | undefined
      while (name !== 'last') {
        const event = (await stream.next())!
        expect(uuids(JSON.stringify(event.data)).filter((id) => inMain.has(id))).toEqual([])
        name = (event.data as { name?: string }).name
      }
    }
  })
})
