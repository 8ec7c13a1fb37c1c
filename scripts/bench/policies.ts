/**
 * Cost of many roles per call: a user with one role, compared with one in many groups, in a project
 * with a full policy. Both are measured in turn, in one run, because the machine may be busy.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { POLICY_MAX_ASSIGNMENTS } from '../../packages/api/src/rules.ts'
import { createSession } from '../../packages/control-plane/src/resources/identity/sessions/sessions.ts'
import { defaultConfig } from '../../packages/node/src/config.ts'
import { startServer } from '../../packages/node/src/server.ts'
import { password } from './host.ts'
import { medianLoads } from './requests.ts'

const GROUPS = 200

export async function policyFigures(): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'steading-policies-'))
  const server = await startServer({
    ...defaultConfig(),
    engine: 'simulated',
    port: 0,
    data,
    adminPassword: password,
  })
  try {
    const { db } = server.controlPlane.database
    const admin = await db.selectFrom('silo_user').selectAll().executeTakeFirstOrThrow()
    const user = async (name: string) => {
      const id = crypto.randomUUID()
      const names = { external_id: name, display_name: name }
      await db
        .insertInto('silo_user')
        .values({ ...admin, id, ...names })
        .execute()
      return { id, cookie: `session=${await createSession(db, id, new Date())}` }
    }
    const root = `session=${await createSession(db, admin.id, new Date())}`
    const call = async (method: string, path: string, body: object) => {
      const answer = await fetch(server.url + path, {
        method,
        body: JSON.stringify(body),
        headers: { cookie: root, 'content-type': 'application/json' },
      })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    }
    const [plain, busy] = [await user('plain'), await user('busy')]
    const groups = Array.from({ length: GROUPS }, () => crypto.randomUUID())
    const now = new Date().toISOString()
    for (const [index, id] of groups.entries()) {
      const times = { time_created: now, time_modified: now, time_deleted: null }
      const row = { id, silo_id: admin.silo_id, display_name: `group-${index}`, ...times }
      await db
        .insertInto('silo_group')
        .values(row as never)
        .execute()
      await db
        .insertInto('silo_group_membership')
        .values({ group_id: id, user_id: busy.id })
        .execute()
    }
    const assigned = (identity_id: string, identity_type: string) => ({
      identity_id,
      identity_type,
      role_name: 'viewer',
    })
    await call('POST', '/v1/projects', { name: 'web', description: '' })
    await call('PUT', '/v1/projects/web/policy', {
      role_assignments: [
        assigned(plain.id, 'silo_user'),
        ...groups.slice(1, POLICY_MAX_ASSIGNMENTS).map((id) => assigned(id, 'silo_group')),
      ],
    })
    const url = `${server.url}/v1/projects/web`
    const [few, many] = await medianLoads(url, [{ cookie: plain.cookie }, { cookie: busy.cookie }])
    console.log('\na project is viewed                     per second      p50      p99')
    for (const [name, load] of [
      ['by a user with one role', few!],
      [`by one with ${POLICY_MAX_ASSIGNMENTS - 1} roles in ${GROUPS} groups`, many!],
    ] as const) {
      console.log(
        `${name.padEnd(38)}${load.perSecond.toFixed(0).padStart(12)} ${load.p50.toFixed(1).padStart(5)} ms ${load.p99.toFixed(1).padStart(5)} ms`,
      )
    }
    console.log(`${(many!.perSecond / few!.perSecond).toFixed(2)} times as many by the second one`)
  } finally {
    await server.close()
    await rm(data, { recursive: true, force: true })
  }
}
