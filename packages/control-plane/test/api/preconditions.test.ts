/**
 * `if-match`: a client that names the answer it has changed does not undo later changes by others.
 * Every operation that replaces the answer to a read is called.
 */
import {
  type Operation,
  type OperationId,
  operations,
  operationTable,
  replacedRead,
} from '@steading/api'
import { RESOURCE_CHANGED } from '@steading/api/rules'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CallArgs, locationOf } from '../support/caller.ts'
import { startTestServer, type TestServer, type User } from '../support/harness.ts'
import { probes } from '../support/probes/index.ts'
import type { Probe } from '../support/probes/probe.ts'
import { createWorld, ids } from '../support/probes/world.ts'

let server: TestServer
let viewer: User
beforeAll(async () => {
  server = await startTestServer({ multicast: true })
  await createWorld(server)
  viewer = await server.createUser('reader', { projects: { [ids.project]: 'viewer' } })
})
afterAll(() => server.close())

const refusal = { error_code: 'PreconditionFailed', message: RESOURCE_CHANGED }
const OTHER = 'W/"00000000000000000000000000000000"'

type Replacing = { id: OperationId; operation: Operation; read: OperationId; probe: Probe }

const replacing = (Object.entries(operationTable) as [OperationId, Operation][]).flatMap(
  ([id, operation]): [string, Replacing][] => {
    const read = replacedRead(operations, operation)?.id as OperationId | undefined
    if (!read) return []
    const ways: object = probes[id]
    const named = 'args' in ways ? { '': ways as Probe } : (ways as Record<string, Probe>)
    return Object.entries(named).map(([way, probe]) => [
      `${id} ${way}`.trim(),
      { id, operation, read, probe },
    ])
  },
)

/** Operations that replace something without `if-match`, with the reason. */
const exempt: Record<string, string> = {
  current_user_mail_address_update: 'takes the password',
  current_user_password_update: 'what is read is not what is replaced',
  disk_contents_write: 'a part of the contents of a disk, which have no tag',
  factor_setup: 'adds a factor',
  group_members_update: 'adds and removes members, whoever else there is',
  instance_multicast_group_join: 'adds a member',
  passkey_update: 'a single word',
  physical_disk_enable_adoption: 'a request, which is not read again',
  second_factor_setup: 'adds a factor',
  setting_version_reason_update: 'a single text',
  simulated_disk_set_health: 'an event of the simulation',
  simulated_instance_set_load: 'an event of the simulation',
  simulated_power_supply_update: 'an event of the simulation',
  simulated_sled_set_power: 'an event of the simulation',
  simulated_uplink_update: 'an event of the simulation',
  sled_set_provision_policy: 'a single word',
  system_ip_pool_silo_update: 'a single word',
  system_subnet_pool_silo_update: 'a single word',
  system_update_recovery_finish: 'a single word',
  system_update_repository_upload: 'a file',
  update_upload_write: 'a part of a file',
  user_mail_address_update: 'a single text',
  view_update: 'there is no read of a single view',
}

const taking = replacing.filter(([, { id }]) => !(id in exempt))

test('every operation that replaces something accepts it, or has a reason not to', () => {
  const taken = new Set<string>(taking.map(([, { id }]) => id))
  const others = (Object.entries(operationTable) as [OperationId, Operation][])
    .filter(([, { method }]) => method === 'PUT' || method === 'PATCH')
    // SCIM has its own versions.
    .filter(([id, { permission }]) => permission !== 'scim' && !taken.has(id))
  expect(others.map(([id]) => id).sort()).toEqual(Object.keys(exempt).sort())
})

/** The answer to the read that the call replaces. */
async function readOf({ operation, read }: Replacing, args: CallArgs<OperationId>) {
  const params = replacedRead(operations, operation)!.params(args as never)
  const query = Object.fromEntries(
    Object.entries(args.query ?? {}).filter(([name]) => name in (operationTable[read].query ?? {})),
  )
  const path = locationOf(read, { params, query } as CallArgs<OperationId>)
  return server.admin.send('GET', path)
}

test.each(taking)('%s is refused if its if-match names another answer', async (_, call) => {
  const { id, operation, probe } = call
  const args = (await probe.args()) as CallArgs<OperationId>
  const put = (tag?: string) =>
    server.admin.send(operation.method, locationOf(id, args), {
      body: args.body,
      headers: tag === undefined ? {} : { 'if-match': tag },
    })
  // A call that is refused anyway gets its own error.
  if (probe.passes) return expect((await put(OTHER)).status).toBe(probe.passes)
  const { status } = operation.success
  const none = (await readOf(call, args)).status === 404
  if (none) {
    expect(await put(OTHER)).toMatchObject({ status: 412, body: refusal })
    expect((await readOf(call, args)).status).toBe(404)
    expect((await put()).status).toBe(status)
  }
  const before = await readOf(call, args)
  expect(await put(OTHER)).toMatchObject({ status: 412, body: refusal })
  const after = await readOf(call, args)
  expect(after.body).toEqual(before.body)
  expect((await put(`"x", ${after.headers.get('etag')}`)).status).toBe(status)
  expect((await put('*')).status).toBe(status)
})

const projectPath = '/v1/projects/web'
const write = (user: Pick<User, 'caller'>, tag: string, description: string) =>
  user.caller.send('PUT', projectPath, { body: { description }, headers: { 'if-match': tag } })

test('of concurrent writers one wins, and the others get an error', async () => {
  const admin = { caller: server.admin }
  let tag = (await server.admin.send('GET', projectPath)).headers.get('etag')!
  for (const round of [1, 2, 3]) {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, writer) => write(admin, tag, `by ${writer} in ${round}`)),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array.from({ length: 11 }, () => 412),
    ])
    const winner = answers.find(({ status }) => status === 200)!
    const now = await server.admin.send('GET', projectPath)
    expect(now.body).toEqual(winner.body)
    tag = now.headers.get('etag')!
  }
})

test('a caller without permission gets that error, whatever the tag', async () => {
  const { headers } = await viewer.caller.send('GET', projectPath)
  for (const tag of [headers.get('etag')!, OTHER]) {
    expect(await write(viewer, tag, 'mine')).toMatchObject({ status: 403 })
  }
  const stranger = await server.createUser('stranger')
  expect(await write(stranger, OTHER, 'mine')).toMatchObject({ status: 404 })
})
