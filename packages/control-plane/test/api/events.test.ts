/** The event stream: its contents, its audience, and its continuation after a break. */
import { FLEET_ID, kindNames, kindTable } from '@steading/api/rules'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  affinityBody,
  blankDisk,
  sshKeyBody,
  siloBody,
  stoppedInstance,
  until,
} from '../support/things.ts'
import { addPool } from '../support/networks.ts'
import { oidcProviderBody } from '../support/oidc/provider.ts'
import { identityProviderBody } from '../support/saml/provider.ts'
import { addAlert, addReceiver, alertRuleBody } from '../support/alerts.ts'
import { scheduleBody } from '../support/schedules.ts'
import { templateBody } from '../support/templates.ts'
import { addBundle } from '../support/bundles.ts'
import type { Caller } from '../support/caller.ts'
import { tokenOf } from '../support/devices.ts'
import { EventStream, eventsSettled, rackLookedAt } from '../support/event-stream.ts'
import { stopClocks } from '../support/clock.ts'
import { runJob, targets } from '../support/jobs.ts'
import { makeCertificate } from '../../../api/test/support/certificates.ts'
import { addRelease, createPublisher } from '../support/updates.ts'
import { createLot, freePort, freshNetwork, placeOf, portSettings } from '../support/uplinks.ts'
import { startTestServer, type TestServer, type User } from '../support/harness.ts'
import { downloadBody } from '../support/image-downloads.ts'

/** How long the server caches a follower's roles. */
const TRUST = 5_000

let server: TestServer
let member: User
let colleague: User
let stranger: User
let operator: User
let elsewhere: string
let project: { id: string; name: string }

beforeAll(async () => {
  server = await startTestServer({ multicast: true })
  elsewhere = await server.createSilo('elsewhere')
  project = await server.admin.call('project_create', { body: { name: 'web', description: '' } })
  member = await server.createUser('member', { projects: { [project.id]: 'viewer' } })
  colleague = await server.createUser('colleague')
  stranger = await server.createUser('stranger', { silo: 'admin' }, elsewhere)
  operator = await server.createUser('operator', { fleet: 'viewer' }, elsewhere)
  await rackLookedAt(server.db)
})
afterAll(() => server.close())

const opened: EventStream[] = []
afterEach(async () => {
  vi.useRealTimers()
  await Promise.all(opened.splice(0).map((stream) => stream.close()))
})

async function follow(caller: Caller, lastEventId?: string | number): Promise<EventStream> {
  await eventsSettled(server.db)
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
  test('is server-sent events, with a retry interval', async () => {
    const stream = await follow(server.admin)
    const { status, headers } = stream.response
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/event-stream')
    expect(headers.get('content-encoding')).toBeNull()
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
    expect(await stream.block()).toEqual(['retry: 1000'])
  })

  test('describes a change with everything needed to find the changed thing', async () => {
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
      author: { id: (await server.admin.call('current_user_view')).id, display_name: 'admin' },
    })
    expect(Date.parse(change.time)).toBeGreaterThanOrEqual(before - 1)
  })

  test('delivers everything, in order, and nothing twice', async () => {
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
    for (let count = 0; count < 7; count++) changes.push(await stream.change())
    expect(
      changes.map(({ resource, action, resource_id }) => [resource, action, resource_id]),
    ).toEqual([
      ['vpcs', 'create', expect.any(String)],
      ['subnets', 'create', expect.any(String)],
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

  test('has no events for refused changes', async () => {
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

  test('requires a signed-in user', async () => {
    expect(await server.anonymous.refusal('event_stream')).toMatchObject({ status: 401 })
  })
})

describe('the author of a change', () => {
  test('is the caller, or the user of the job, and nobody for changes by the system', async () => {
    const maker = await server.createUser('maker', { silo: 'collaborator' })
    const stream = await follow(member.caller)
    const web = { query: { project: 'web' } }
    const disk = await maker.caller.call('disk_create', { ...web, body: blankDisk('signed') })
    const author = { id: maker.id, display_name: 'maker' }
    expect(await stream.change()).toMatchObject({ action: 'create', author })
    expect(await stream.change()).toMatchObject({ action: 'update', author: null })
    await runJob(maker.caller, 'delete', 'disk', targets(disk.id), 'web')
    const deleted = await stream.change()
    expect(deleted).toMatchObject({ action: 'delete', resource_id: disk.id, author })
  })

  test('is hidden from users of another silo', async () => {
    const [insider, outsider] = [await follow(member.caller), await follow(operator.caller)]
    const event = {
      time: new Date().toISOString(),
      resource: 'policies',
      action: 'update' as const,
      resource_id: server.siloId,
      name: '',
      silo_id: server.siloId,
      author_id: operator.id,
      author_name: 'operator',
      author_silo_id: elsewhere,
    }
    await server.db
      .insertInto('event')
      .values([event, { ...event, author_silo_id: server.siloId }])
      .execute()
    const author = { id: operator.id, display_name: 'operator' }
    const authors = async (stream: EventStream) => [
      (await stream.change()).author,
      (await stream.change()).author,
    ]
    expect(await authors(insider)).toEqual([null, author])
    expect(await authors(outsider)).toEqual([author, author])
  })
})

describe('reconnecting', () => {
  test('continues after the last received event', async () => {
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

  test('with an unknown event starts afresh', async () => {
    const stream = await follow(member.caller, 999_999_999)
    expect(await stream.next()).toEqual({ event: 'reset', data: {} })
    await describeProject()
    expect(await stream.change()).toMatchObject({ resource: 'projects' })
  })

  test('to a cleared outbox starts afresh', async () => {
    const cleared = await startTestServer()
    const change = async () => {
      const stream = new EventStream(await cleared.admin.fetch('/x/v1/events'))
      await cleared.admin.call('current_user_ssh_key_create', {
        body: sshKeyBody(`k-${crypto.randomUUID()}`),
      })
      const { id } = await stream.changeOf('ssh-keys')
      await stream.close()
      return id
    }
    const after = async (id: number) =>
      new EventStream(
        await cleared.admin.fetch('/x/v1/events', { headers: { 'last-event-id': String(id) } }),
      )
    const ids = [await change(), await change(), await change()]
    await cleared.db.deleteFrom('event').where('id', '<=', ids[0]!).execute()
    // The server holds the cleared events until it has noticed that the last stream was closed.
    await vi.waitFor(async () => {
      const stream = await after(ids[0]!)
      const first = await stream.next()
      if (first?.event !== 'reset') await stream.close()
      expect(first).toEqual({ event: 'reset', data: {} })
    }, 30_000)
    // Its last event is still there, and so are all later ones.
    const complete = await after(ids[1]!)
    expect(await complete.changeOf('ssh-keys')).toMatchObject({ id: ids[2] })
    await cleared.close()
  })

  test.each(['x', '-1', '1.5', '9'.repeat(30)])('after %s is refused', async (id) => {
    const { status, message } = await member.caller.refused('GET', '/x/v1/events', {
      headers: { 'last-event-id': id },
    })
    expect(status).toBe(400)
    expect(message).toMatch(/^bad value for header "last-event-id": .*: /)
  })
})

describe('callers receive events of readable things only', () => {
  let viewer: User
  beforeAll(async () => {
    viewer = await server.createUser('viewer', { silo: 'viewer' })
  })

  /** Changes nothing, and emits an event visible to all users of the silo. */
  async function touchSilo(caller: Caller): Promise<void> {
    await caller.call('policy_update', { body: await caller.call('policy_view') })
  }

  /** The names of the callers who receive an event before a later change. */
  async function hearers(work: () => Promise<{ id: string }>): Promise<string[]> {
    const people = {
      member,
      colleague,
      viewer,
      stranger,
      operator,
      admin: { caller: server.admin },
    }
    const streams = await Promise.all(
      Object.entries(people).map(
        async ([name, { caller }]) => [name, await follow(caller)] as const,
      ),
    )
    const { id } = await work()
    await touchSilo(server.admin)
    await touchSilo(stranger.caller)
    const heard: string[] = []
    for (const [name, stream] of streams) {
      const own = name === 'stranger' || name === 'operator' ? elsewhere : server.siloId
      let last = ''
      while (last !== own) {
        const change = await stream.change()
        if (change.resource_id === id && !heard.includes(name)) heard.push(name)
        last = change.resource === 'policies' ? change.resource_id : ''
      }
    }
    return heard.sort()
  }

  const inProject = ['admin', 'member', 'viewer']
  const web = { query: { project: 'web' } }
  const described = (name: string) => ({ name, description: '' })
  const inVpc = { query: { project: 'web', vpc: 'default' } }
  const inGateway = { query: { ...inVpc.query, gateway: 'door' } }

  test('a project', async () => {
    expect(await hearers(async () => describeProject())).toEqual(inProject)
  })

  test('the policy of a project', async () => {
    const params = { project: 'web' }
    const body = await server.admin.call('project_policy_view', { params })
    expect(
      await hearers(async () => {
        await server.admin.call('project_policy_update', { params, body })
        return project
      }),
    ).toEqual(inProject)
  })

  const group = { failure_domain: 'sled', policy: 'allow' } as const
  const inside: Record<string, () => Promise<{ id: string }>> = {
    'a disk': () => server.admin.call('disk_create', { ...web, body: blankDisk('data') }),
    'a snapshot': () =>
      server.admin.call('snapshot_create', { ...web, body: { ...described('s'), disk: 'data' } }),
    'an instance': () =>
      server.admin.call('instance_create', {
        ...web,
        body: {
          ...described('vm'),
          ncpus: 1,
          memory: 2 ** 30,
          hostname: 'vm',
          start: false,
          network_interfaces: { type: 'none' },
        },
      }),
    'an affinity group': () =>
      server.admin.call('affinity_group_create', { ...web, body: { ...described('a'), ...group } }),
    'an anti-affinity group': () =>
      server.admin.call('anti_affinity_group_create', {
        ...web,
        body: { ...described('a'), ...group },
      }),
    'a floating IP': () =>
      server.admin.call('floating_ip_create', { ...web, body: described('f') }),
    'an interface': async () => {
      const instance = { query: { project: 'web', instance: 'vm' } }
      await vi.waitFor(async () => {
        const { run_state } = await server.admin.call('instance_view', {
          params: { instance: 'vm' },
          ...web,
        })
        expect(run_state).toBe('stopped')
      }, 30_000)
      return server.admin.call('instance_network_interface_create', {
        ...instance,
        body: { ...described('nic'), vpc_name: 'default', subnet_name: 'default' },
      })
    },
    'an ephemeral address': async () => {
      const params = { instance: 'vm' }
      await server.admin.call('instance_ephemeral_ip_attach', { params, ...web, body: {} })
      const { id } = await server.db
        .selectFrom('external_ip')
        .select('id')
        .where('kind', '=', 'ephemeral')
        .executeTakeFirstOrThrow()
      return { id }
    },
    'a shared view': () =>
      server.admin.call('view_create', {
        body: { name: 'ours', list: 'disk', project: 'web', query: {} },
      }),
    'a shared dashboard': () =>
      server.admin.call('dashboard_create', {
        body: {
          name: 'ours',
          description: '',
          source: 'project',
          sharing: 'project',
          project: 'web',
          charts: [],
        },
      }),
    'a notification subscription': () =>
      server.admin.call('notification_subscription_create', {
        body: {
          owner_project: 'web',
          scope: 'project',
          topics: ['schedule'],
          severity: 'warning',
          digest: 'daily',
          channel: { type: 'slack', url: 'https://chat.invalid/hook' },
        },
      }),
    'firewall rules': async () => {
      const query = { project: 'web', vpc: 'default' }
      await server.admin.call('vpc_firewall_rules_update', { query, body: { rules: [] } })
      return server.admin.call('vpc_view', {
        params: { vpc: 'default' },
        query: { project: 'web' },
      })
    },
    'a router': () =>
      server.admin.call('vpc_router_create', { ...inVpc, body: described('detour') }),
    'a route': () =>
      server.admin.call('vpc_router_route_create', {
        query: { ...inVpc.query, router: 'detour' },
        body: {
          ...described('nowhere'),
          destination: { type: 'ip_net', value: '10.0.0.0/8' },
          target: { type: 'drop' },
        },
      }),
    'an internet gateway': () =>
      server.admin.call('internet_gateway_create', { ...inVpc, body: described('door') }),
    'a pool of a gateway': () =>
      server.admin.call('internet_gateway_ip_pool_create', {
        ...inGateway,
        body: { ...described('pool'), ip_pool: 'default' },
      }),
    'an address of a gateway': () =>
      server.admin.call('internet_gateway_ip_address_create', {
        ...inGateway,
        body: { ...described('address'), address: '192.0.2.1' },
      }),
    'an external subnet': async () => {
      const params = { pool: 'nets' }
      await server.admin.call('system_subnet_pool_create', {
        body: { ...described('nets'), ip_version: 'v4' },
      })
      await server.admin.call('system_subnet_pool_member_add', {
        params,
        body: { subnet: '198.18.0.0/16' },
      })
      await server.admin.call('system_subnet_pool_silo_link', {
        params,
        body: { silo: 'main', is_default: true },
      })
      return server.admin.call('external_subnet_create', {
        ...web,
        body: { ...described('net'), allocator: { type: 'auto', prefix_length: 24 } },
      })
    },
    'a probe': async () => {
      const { items } = await server.admin.call('sled_list')
      const body = { ...described('echo'), sled: items[0]!.id }
      const probe = await server.admin.call('probe_create', { ...web, body })
      await server.admin.call('probe_delete', { ...web, params: { probe: probe.id } })
      return probe
    },
    'an image download': () =>
      server.admin.call('image_download_create', { ...web, body: downloadBody('heard') }),
    'an alert rule': async () => {
      const body = alertRuleBody(described('busy'))
      const rule = await server.admin.call('alert_rule_create', { ...web, body })
      await server.admin.call('alert_rule_delete', { params: { alert_rule: rule.id } })
      return rule
    },
    'a schedule': async () => {
      const disk = await server.admin.call('disk_create', { ...web, body: blankDisk('nightly') })
      const body = scheduleBody({ name: 'nightly', disks: [disk.name] })
      const schedule = await server.admin.call('schedule_create', { ...web, body })
      await server.admin.call('schedule_delete', { params: { schedule: schedule.id } })
      return schedule
    },
    'a template': () =>
      server.admin.call('instance_template_create', { ...web, body: templateBody('heard') }),
    'a deleted resource': async () => {
      const keep = (restorable_hours: number) =>
        server.db.updateTable('silo').set({ restorable_hours }).execute()
      const body = affinityBody('brief')
      const group = await server.admin.call('affinity_group_create', { ...web, body })
      await keep(1)
      await server.admin.call('affinity_group_delete', { params: { affinity_group: group.id } })
      await keep(0)
      const params = { deleted_resource: group.id }
      await server.admin.call('deleted_resource_restore', { params, body: {} })
      return group
    },
    'a subnet': async () => {
      const { id } = await server.db
        .selectFrom('vpc_subnet')
        .innerJoin('vpc', 'vpc.id', 'vpc_subnet.vpc_id')
        .select('vpc_subnet.id')
        .where('vpc.project_id', '=', project.id)
        .executeTakeFirstOrThrow()
      await server.db.deleteFrom('network_interface').where('subnet_id', '=', id).execute()
      await server.admin.call('vpc_subnet_delete', { params: { subnet: id } })
      return { id }
    },
    'a VPC': async () => {
      const { id } = await server.db
        .selectFrom('vpc')
        .select('id')
        .where('project_id', '=', project.id)
        .executeTakeFirstOrThrow()
      await server.admin.call('vpc_delete', { params: { vpc: id } })
      return { id }
    },
  }

  test.each(Object.entries(inside))('%s', async (_, work) => {
    expect(await hearers(work)).toEqual(inProject)
  })

  test('an image of a project', async () => {
    const { id } = await server.createImage('inside', project.id)
    const remove = async () => {
      await server.admin.call('image_delete', { params: { image: id } })
      return { id }
    }
    expect(await hearers(remove)).toEqual(inProject)
  })

  test('an image of the silo, which takes a role there', async () => {
    const { id } = await server.createImage('for-all', null)
    const remove = async () => {
      await server.admin.call('image_delete', { params: { image: id } })
      return { id }
    }
    expect(await hearers(remove)).toEqual(['admin', 'viewer'])
  })

  test('an image that is promoted and demoted', async () => {
    const { id } = await server.createImage('moving', project.id)
    const params = { image: id }
    // Callers who could read it at its old place learn that it is gone from there.
    expect(await hearers(() => server.admin.call('image_promote', { params }))).toEqual(inProject)
    const demote = () => server.admin.call('image_demote', { params, ...web })
    expect(await hearers(demote)).toEqual(inProject)
  })

  test('a key, for its owner alone', async () => {
    expect(await hearers(() => addKey(colleague))).toEqual(['colleague'])
    expect(await hearers(() => addKey(stranger))).toEqual(['stranger'])
    const { id, name } = await addKey(member)
    const remove = async () => {
      await member.caller.call('current_user_ssh_key_delete', { params: { ssh_key: name } })
      return { id }
    }
    expect(await hearers(remove)).toEqual(['member'])
  })

  test('an unshared view, a star and a dismissal, for their owner alone', async () => {
    const body = { name: 'mine', list: 'disk', query: {} } as const
    expect(await hearers(() => member.caller.call('view_create', { body }))).toEqual(['member'])
    const star = () =>
      member.caller.call('star_create', { body: { kind: 'project', id: project.id } })
    expect(await hearers(star)).toEqual(['member'])
    const dismissal = async () => {
      await member.caller.call('dismissal_create', { body: { place: project.id } })
      return { id: project.id }
    }
    expect(await hearers(dismissal)).toEqual(['member'])
  })

  test('an access token and a session, for their owner alone', async () => {
    const confirmed = async () => {
      const { granted } = await tokenOf(member.caller, server.anonymous)
      return { id: granted.token_id }
    }
    expect(await hearers(confirmed)).toEqual(['member'])
    const other = await server.signInAs(member.id)
    const { items } = await other.call('current_user_session_list')
    const { id } = items.find(({ current }) => current)!
    const end = async () => {
      await member.caller.call('current_user_session_delete', { params: { session_id: id } })
      return { id }
    }
    expect(await hearers(end)).toEqual(['member'])
  })

  test('a job, for its user alone', async () => {
    const body = {
      action: 'delete',
      kind: 'disk',
      project: 'web',
      target: { type: 'matching', query: {} },
    } as const
    const run = async () => {
      const { id } = await server.admin.call('job_create', { body })
      await server.admin.call('job_start', { params: { job: id } })
      return { id }
    }
    expect(await hearers(run)).toEqual(['admin'])
  })

  test('the policy of a silo, for all its users and viewers of the fleet', async () => {
    const touch = async () => {
      await touchSilo(stranger.caller)
      return { id: elsewhere }
    }
    expect(await hearers(touch)).toEqual(['admin', 'operator', 'stranger'])
  })

  test('a certificate, for admins of the silo', async () => {
    const { cert, key } = await makeCertificate()
    const body = { ...described('tls'), service: 'external_api', cert, key } as const
    expect(await hearers(() => server.admin.call('certificate_create', { body }))).toEqual([
      'admin',
    ])
  })

  test('an identity provider and a SCIM token, for callers who manage them', async () => {
    const ofSilo = async (identity_mode: 'saml_jit' | 'saml_scim') => {
      const name = identity_mode.replace('_', '-')
      await server.admin.call('silo_create', { body: siloBody(name, { identity_mode }) })
      return { query: { silo: name } }
    }
    const jit = await ofSilo('saml_jit')
    const provide = () =>
      server.admin.call('saml_identity_provider_create', {
        ...jit,
        body: identityProviderBody('okta'),
      })
    expect(await hearers(provide)).toEqual(['admin', 'operator'])
    const openid = async () => {
      const body = oidcProviderBody(server.url, 'saml-jit', 'openid', 'https://idp.example')
      const { id: silo_id } = await server.admin.call('silo_view', { params: { silo: 'saml-jit' } })
      const id = crypto.randomUUID()
      const time_created = new Date().toISOString()
      const times = { time_created, time_modified: time_created, time_deleted: null }
      const name_key = body.name
      const row = { ...body, ...times, name_key, id, silo_id, scopes: JSON.stringify(body.scopes) }
      await server.db.insertInto('oidc_identity_provider').values(row).execute()
      const { name: _, issuer: __, ...values } = body
      return server.admin.call('oidc_identity_provider_update', {
        params: { provider: id },
        body: values,
      })
    }
    expect(await hearers(openid)).toEqual(['admin', 'operator'])
    const scim = await ofSilo('saml_scim')
    expect(await hearers(() => server.admin.call('scim_token_create', scim))).toEqual(['admin'])
  })

  test('silos, users and groups, for users of the silo and viewers of the fleet', async () => {
    const everybody = ['admin', 'colleague', 'member', 'operator', 'viewer']
    const user = () =>
      server.admin.call('local_idp_user_create', {
        query: { silo: 'main' },
        body: { external_id: 'new', password: { mode: 'login_disallowed' } },
      })
    expect(await hearers(user)).toEqual(everybody)
    const account = () => server.admin.call('service_account_create', { body: described('robot') })
    // Its user is a user of the silo.
    expect(await hearers(account)).toEqual(everybody)
    const group = () => server.admin.call('group_create', { body: { display_name: 'new' } })
    expect(await hearers(group)).toEqual(everybody)
    const quotas = async () => {
      await server.admin.call('silo_quotas_update', { params: { silo: 'main' }, body: {} })
      return { id: server.siloId }
    }
    expect(await hearers(quotas)).toEqual(everybody)
  })

  test('the fleet, for its viewers', async () => {
    const body = await server.admin.call('system_policy_view')
    expect(
      await hearers(async () => {
        await server.admin.call('system_policy_update', { body })
        return { id: FLEET_ID }
      }),
    ).toEqual(['admin', 'operator'])
  })

  test('the uplinks of the rack, for viewers of the fleet', async () => {
    const { admin } = server
    const hear = async (change: () => Promise<unknown>, thing: () => Promise<{ id: string }>) =>
      expect(
        await hearers(async () => {
          await change()
          return thing()
        }),
      ).toEqual(['admin', 'operator'])
    const said = { id: '' }
    const keep = async (made: Promise<{ id: string }>) => void (said.id = (await made).id)
    const asSaid = async () => said
    const network = freshNetwork()
    const lot = () => createLot(admin, network, 'heard').then((made) => made.lot)
    await hear(() => keep(lot()), asSaid)
    const { items } = await admin.call('rack_list')
    const place = { rack_id: items[0]!.id, switch_slot: 'switch0' as const }
    const address = { address: network.at(1), mask: 32, address_lot: 'heard', anycast: false }
    const loopback = () =>
      admin.call('networking_loopback_address_create', { body: { ...place, ...address } })
    await hear(() => keep(loopback()), asSaid)
    const set = () =>
      admin.call('networking_bgp_announce_set_update', {
        body: { name: 'heard', description: '', announcement: [] },
      })
    await hear(() => keep(set()), asSaid)
    const config = () =>
      admin.call('networking_bgp_config_create', {
        body: { name: 'heard', description: '', asn: 65_000, bgp_announce_set_id: 'heard' },
      })
    await hear(() => keep(config()), asSaid)
    const session = () =>
      admin.call('networking_bfd_enable', {
        body: {
          remote: '192.0.2.1',
          detection_threshold: 3,
          required_rx: 300_000,
          switch_slot: 'switch0',
          mode: 'single_hop',
        },
      })
    await hear(session, () =>
      server.db.selectFrom('bfd_session').select('id').executeTakeFirstOrThrow(),
    )
    const settings = () =>
      admin.call('system_networking_settings_update', {
        body: { external_jumbo_frames_opt_in_enabled: false },
      })
    await hear(settings, async () => ({ id: FLEET_ID }))
    const allowed = () =>
      admin.call('networking_allow_list_update', { body: { allowed_ips: { allow: 'any' } } })
    await hear(allowed, async () => ({ id: FLEET_ID }))
    const portSettingsMade = () =>
      admin.call('networking_switch_port_settings_create', {
        body: portSettings({ name: 'heard' }),
      })
    await hear(() => keep(portSettingsMade()), asSaid)
    const port = await freePort(admin)
    const apply = () =>
      admin.call('networking_switch_port_apply_settings', {
        ...placeOf(port),
        body: { port_settings: 'heard' },
      })
    await hear(apply, async () => port)
  })

  test('alerts, their receivers and deliveries, for viewers of the fleet', async () => {
    const { admin } = server
    const operators = ['admin', 'operator']
    const receiver = await addReceiver(server, 'heard')
    const params = { receiver: receiver.id }
    const rename = async () => {
      await admin.call('webhook_receiver_update', { params, body: { description: 'new' } })
      return receiver
    }
    expect(await hearers(rename)).toEqual(operators)
    const raise = async () => ({ id: await addAlert(server) })
    expect(await hearers(raise)).toEqual(operators)
    const probe = async () => (await admin.call('alert_receiver_probe', { params })).probe
    expect(await hearers(probe)).toEqual(operators)
    const secret = async () => {
      const id = receiver.secretId
      await admin.call('webhook_secrets_delete', { params: { secret_id: id } })
      return { id }
    }
    expect(await hearers(secret)).toEqual(operators)
  })

  test('releases and trust roots, for operators', async () => {
    const { admin } = server
    const operators = ['admin', 'operator']
    const publisher = await createPublisher()
    const trust = () => admin.call('system_update_trust_root_create', { body: publisher.root })
    expect(await hearers(trust)).toEqual(operators)
    const body = { file_name: 'release.zip', size: 1 }
    expect(await hearers(() => admin.call('update_upload_create', { body }))).toEqual(operators)
    const upload = async () => {
      await addRelease(admin, publisher, '1.0.0')
      return server.db.selectFrom('update_repository').select('id').executeTakeFirstOrThrow()
    }
    expect(await hearers(upload)).toEqual(operators)
    const target = async () => {
      await admin.call('target_release_update', { body: { system_version: '1.0.0' } })
      return server.db.selectFrom('system_update').select('id').executeTakeFirstOrThrow()
    }
    expect(await hearers(target)).toEqual(operators)
  })

  test('support bundles, for operators', async () => {
    const { admin } = server
    const operators = ['admin', 'operator']
    expect(await hearers(() => admin.call('support_bundle_create', { body: {} }))).toEqual(
      operators,
    )
    const { id } = await addBundle(admin)
    const params = { bundle_id: id }
    const comment = () =>
      admin.call('support_bundle_update', { params, body: { user_comment: 'new' } })
    expect(await hearers(comment)).toEqual(operators)
  })

  test('multicast groups, for everybody', async () => {
    const { admin, db, siloId } = server
    const range = { first: '239.1.0.0', last: '239.1.0.9' }
    await addPool(db, 'casts', { pool_type: 'multicast', siloId, ...range })
    const query = { project: 'casts' }
    await admin.call('project_create', { body: { name: query.project, description: '' } })
    const instance = (await stoppedInstance(admin, query, 'receiver')).id
    const join = async () => {
      const params = { instance, multicast_group: 'news' }
      const member = await admin.call('instance_multicast_group_join', { params, body: {} })
      return { id: member.multicast_group_id }
    }
    const everybody = ['admin', 'colleague', 'member', 'operator', 'stranger', 'viewer']
    expect(await hearers(join)).toEqual(everybody)
  })

  test('hardware, for operators', async () => {
    const { admin } = server
    const adopt = () => {
      const body = { vendor: 'v', model: 'm', serial: 's' }
      return admin.call('physical_disk_enable_adoption', { body })
    }
    expect(await hearers(adopt)).toEqual(['admin', 'operator'])
    const { items: sleds } = await admin.call('sled_list')
    const { id } = sleds[0]!
    const drain = async () => {
      const body = { state: 'non_provisionable' as const }
      await admin.call('sled_set_provision_policy', { params: { sled_id: id }, body })
      return { id }
    }
    expect(await hearers(drain)).toEqual(['admin', 'operator'])
    const { items: racks } = await admin.call('rack_list')
    const [rack] = racks
    const inserted = (await server.host.controlPlane.engines.simulation.insertSled())!
    await until(
      () => admin.call('sled_list_uninitialized'),
      ({ items }) => expect(items).toHaveLength(1),
    )
    const extend = async () => {
      const sled_ids = [{ part_number: inserted.part, serial_number: inserted.serial }]
      const params = { rack_id: rack!.id }
      await admin.call('rack_membership_add_sleds', { params, body: { sled_ids } })
      return { id: rack!.id }
    }
    expect(await hearers(extend)).toEqual(['admin', 'operator'])
    const { items: disks } = await admin.call('physical_disk_list')
    const expunge = () => admin.call('physical_disk_expunge', { params: { disk_id: disks[0]!.id } })
    expect(await hearers(expunge)).toEqual(['admin', 'operator'])
    const address = 'qemu+ssh://root@elsewhere/system'
    const add = () => admin.call('host_create', { body: { address } })
    expect(await hearers(add)).toEqual(['admin', 'operator'])
    const pool = { name: 'pool', description: '', type: 'directory' as const, path: '/mnt/nowhere' }
    const addPool = () => admin.call('storage_pool_create', { body: pool })
    expect(await hearers(addPool)).toEqual(['admin', 'operator'])
  })

  test('alert rules of the system, for operators', async () => {
    const create = () =>
      server.admin.call('system_alert_rule_create', {
        body: alertRuleBody({ name: 'hot', description: '' }),
      })
    expect(await hearers(create)).toEqual(['admin', 'operator'])
  })

  test('the tests cover all kinds of events', async () => {
    await server.host.controlPlane.notify()
    const rows = await server.db.selectFrom('event').select('resource').distinct().execute()
    // Nothing changes pools and switches yet. The audit log has no events.
    const quiet = new Set(['ip-pools', 'audit-log', 'switches'])
    const all = new Set(kindNames.map((kind) => kindTable[kind].resource))
    expect(rows.map(({ resource }) => resource).sort()).toEqual(
      [...all].filter((resource) => !quiet.has(resource)).sort(),
    )
  })
})

describe('the roles of a follower are checked again', () => {
  /** Stops the clock while work goes on; returns a function that advances it. */
  function stopClock() {
    stopClocks()
    return () => void vi.advanceTimersByTime(TRUST)
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
    // The caller's permissions have changed, so everything must be read again.
    expect(await stream.next()).toMatchObject({ event: 'reset' })
    expect(await stream.changeOf('projects')).toMatchObject({ resource_id: project.id })
  })

  test('as soon as they are revoked, with a reset of the stream', async () => {
    const params = { project: 'web' }
    const { caller } = await server.createUser('loser', { projects: { [project.id]: 'viewer' } })
    const unconcerned = await follow(server.admin)
    await unconcerned.block()
    const stream = await follow(caller)
    await stream.block()
    await server.admin.call('project_policy_update', { params, body: { role_assignments: [] } })
    expect(await stream.next()).toMatchObject({ event: 'reset' })
    // Other callers receive the event of the policy, and other events of the rack.
    expect(await unconcerned.changeOf('policies')).toMatchObject({ resource_id: project.id })
  })

  test('and a stream ends with its session', async () => {
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
  await expect(stream.end()).resolves.toBeUndefined()
})
