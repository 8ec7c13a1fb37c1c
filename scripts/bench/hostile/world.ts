/** The server under load, and its users. */
import { setTimeout as pause } from 'node:timers/promises'
import { GiB } from '../../../packages/api/src/rules.ts'
import { type BenchHost, password, signIn } from '../host.ts'

export const PROJECT = 'hostile'
const INSTANCES = ['first', 'second']
/** Milliseconds between two looks at something that is waited for. */
const LOOK_MS = 100
/** Looks, ten minutes in all, because guests may be emulated. */
const MOST_LOOKS = 6000

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

/**
 * Waits until something is reached.
 * @throws Error if that takes too long
 */
export async function reached(
  what: string,
  isReached: () => Promise<boolean>,
  signal?: AbortSignal,
): Promise<void> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    if ((await isReached()) || signal?.aborted) return
    await pause(LOOK_MS)
  }
  throw new Error(`${what} was not reached`)
}

/** How often each outcome occurs: `3 × 200, 1 × 503`. */
export const tally = (outcomes: readonly (string | number)[]): string =>
  [...Map.groupBy(outcomes, (outcome) => outcome)]
    .map(([outcome, { length }]) => `${length} × ${outcome}`)
    .join(', ')

/** Path of an instance. */
const instancePath = (name: string, action = '') =>
  `/v1/instances/${name}${action}?project=${PROJECT}`

async function reachRunState(call: Call, name: string, state: string): Promise<void> {
  const isReached = async () => (await call('GET', instancePath(name))).body.run_state === state
  await reached(`the state ${state} of ${name}`, isReached)
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
  // The loads use its console.
  await reachRunState(admin, INSTANCES[0]!, 'running')
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
  for (const name of names) await admin('POST', instancePath(name, '/stop'))
  for (const name of names) {
    await reachRunState(admin, name, 'stopped')
    await admin('DELETE', instancePath(name))
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
