/**
 * Every operation, called with access tokens that have less than the rights of their user: a token
 * that only reads, tokens limited to a project and a role, and one limited to another project.
 */
import { type OperationId, operationTable, type Operation, writesRows } from '@steading/api'
import type { TokenAccess } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CallArgs, Caller } from '../../support/caller.ts'
import { startTestServer, type TestServer } from '../../support/harness.ts'
import { long } from '../../support/long.ts'
import { cases, expected, statusOf } from '../../support/probes/expected.ts'
import type { Probe } from '../../support/probes/probe.ts'
import { sshKeyBody } from '../../support/things.ts'
import { createWorld, PROJECT, type Role } from '../../support/probes/world.ts'

let server: TestServer
const tokens = new Map<string, Caller>()
/** Tokens of a user with all roles: what a role alone may do, they may do as well. */
const limited: { name: string; access: TokenAccess; project: string; like: Role }[] = [
  { name: 'viewer', access: 'viewer', project: PROJECT, like: 'project.viewer' },
  { name: 'full', access: 'full', project: PROJECT, like: 'project.admin' },
  { name: 'elsewhere', access: 'full', project: 'other', like: 'none' },
]
/** In `npm test`, `token-limits.test.ts` has the same mechanism on a few operations. */
const asked = long ? limited : []

beforeAll(async () => {
  server = await startTestServer({ multicast: true })
  await createWorld(server)
  await server.admin.call('project_create', { body: { name: 'other', description: '' } })
  await server.admin.call('current_user_ssh_key_create', { body: sshKeyBody('mine') })
  const make = async (name: string, access: TokenAccess, projects: string[] | null) => {
    const body = { name, access, projects }
    const { token } = await server.admin.call('current_user_access_token_create', { body })
    tokens.set(name, server.anonymous.withToken(token))
  }
  await make('reading', 'read_only', null)
  for (const { name, access, project } of limited) await make(name, access, [project])
})
afterAll(() => server.close())

const operationOf = (id: OperationId): Operation => operationTable[id]
const isOwn = (id: OperationId) => operationOf(id).permission === 'session'
const isSigned = (id: OperationId) =>
  !['public', 'scim'].includes(operationOf(id).permission as string)
const signed = cases.filter(([, id]) => isSigned(id))
/** Calls of a kind that are not permitted to callers with limits, whatever their roles. */
const isPrivate = (label: string): boolean =>
  [
    'view_create for the caller',
    'dashboard_create for the caller',
    'notification_subscription_list of the caller',
    'notification_subscription_create for the caller',
    'notification_subscription_create to the fleet',
  ].includes(label)

/** The answer to a token that only reads, of a user who may do everything. */
function readingStatus(label: string, id: OperationId, probe: Probe): number {
  const operation = operationOf(id)
  const { permission, evenIfLimited, success } = operation
  const granted = probe.passes ?? success.status
  if (permission === 'session' && !evenIfLimited) return 403
  if (writesRows(operation) || isPrivate(label)) return 403
  if (permission === 'session') return granted
  const needed = Object.values({ ...(permission as object), ...probe.needs })
  return needed.every((action) => action === 'read' || action === 'list') ? granted : 403
}

describe('a token that only reads gets the answer of its user, or 403, to', () => {
  test.each(signed)('%s', async (label, id, probe) => {
    const status = await statusOf(tokens.get('reading')!, id, await probe.args())
    expect(status).toBe(readingStatus(label, id, probe))
  })
})

describe.each(asked)('a token with the access $name gets the answer of $like to', (token) => {
  const wanted = (label: string, id: OperationId, probe: Probe, args: CallArgs<OperationId>) => {
    if (isOwn(id) && !operationOf(id).evenIfLimited) return 403
    if (isPrivate(label)) return 403
    return expected(token.like, id, probe, args)
  }
  test.each(signed)('%s', async (label, id, probe) => {
    const args = await probe.args()
    const status = await statusOf(tokens.get(token.name)!, id, args)
    expect(status).toBe(wanted(label, id, probe, args))
  })
})
