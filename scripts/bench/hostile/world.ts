/** The server under load, and its users. */
import { setTimeout as pause } from 'node:timers/promises'
import { GiB } from '../../../packages/api/src/rules.ts'
import { type BenchHost, password, signIn } from '../host.ts'

export const PROJECT = 'hostile'
const INSTANCES = ['first', 'second']
/** Looks at a machine that stops, at most. */
const PATIENCE = 300

export type Call = (
  method: string,
  path: string,
  body?: object,
) => Promise<{ status: number; body: any }>

export interface World {
  url: string
  /** The engine of the machines; `STEADING_ENGINE` chooses another one. */
  engine: string
  /** Resident memory of the server in MiB. */
  memory: () => number
  /** Calls as the administrator. */
  admin: Call
  /** Calls as the attacking user, a limited collaborator of the project. */
  attacker: Call
  attackerCookie: string
  /** The user whose calls are measured. */
  bystanderCookie: string
}

export interface Load {
  /** Prepares the load; not measured. */
  prepare?: (world: World) => Promise<void>
  /**
   * Applies the load.
   * @param signal aborts when the time is over; the load then ends
   * @returns a summary of the answers
   */
  apply: (world: World, signal: AbortSignal) => Promise<string>
  /** Cleans up after the load; not measured. */
  clear?: (world: World) => Promise<void>
}

/** Calls with a session cookie. An unanswered call is an error. */
export const callsOf =
  (url: string, cookie: string): Call =>
  async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, body: text && JSON.parse(text) }
  }

/** @throws Error for an unsuccessful answer */
export const succeeding =
  (call: Call): Call =>
  async (method, path, body) => {
    const answer = await call(method, path, body)
    if (answer.status < 300) return answer
    throw new Error(`${method} ${path} answered ${answer.status} ${JSON.stringify(answer.body)}`)
  }

async function makeUser(admin: Call, name: string): Promise<string> {
  const { body } = await admin('POST', '/v1/system/identity-providers/local/users?silo=main', {
    external_id: name,
    password: { mode: 'password', value: password },
  })
  return body.id as string
}

/** Waits for the instance with the console to run. */
async function running(call: Call): Promise<void> {
  const path = `/v1/instances/${INSTANCES[0]}?project=${PROJECT}`
  while ((await call('GET', path)).body.run_state !== 'running') await pause(50)
}

export async function makeWorld({ url, memory }: BenchHost): Promise<World> {
  const admin = succeeding(callsOf(url, await signIn(url)))
  await admin('POST', '/v1/projects', { name: PROJECT, description: '' })
  const id = await makeUser(admin, 'attacker')
  await makeUser(admin, 'bystander')
  await admin('PUT', `/v1/projects/${PROJECT}/policy`, {
    role_assignments: [
      { identity_type: 'silo_user', identity_id: id, role_name: 'limited_collaborator' },
    ],
  })
  for (const name of INSTANCES) {
    await admin('POST', `/v1/instances?project=${PROJECT}`, {
      name,
      hostname: name,
      description: '',
      ncpus: 1,
      memory: GiB,
    })
  }
  await running(admin)
  const attackerCookie = await signIn(url, 'attacker')
  return {
    url,
    engine: (await admin('GET', '/x/v1/capabilities')).body.engine,
    memory,
    admin,
    attacker: callsOf(url, attackerCookie),
    attackerCookie,
    bystanderCookie: await signIn(url, 'bystander'),
  }
}

/** Removes instances whose systems need not be able to shut down by themselves. */
export async function removeInstances(admin: Call, names: readonly string[]): Promise<void> {
  const path = (name: string, action = '') => `/v1/instances/${name}${action}?project=${PROJECT}`
  for (const name of names) await admin('POST', path(name, '/stop'))
  for (const name of names) {
    for (let tries = 0; tries < PATIENCE; tries++) {
      if ((await admin('GET', path(name))).body.run_state === 'stopped') break
      await pause(500)
    }
    await admin('DELETE', path(name))
  }
}

/** Real machines outlive their server, so they are removed before it stops. */
export async function leaveWorld({ admin, engine }: World): Promise<void> {
  if (engine === 'simulated') return
  const { body } = await admin('GET', `/v1/instances?project=${PROJECT}`)
  await removeInstances(
    admin,
    (body.items as { name: string }[]).map(({ name }) => name),
  )
}
