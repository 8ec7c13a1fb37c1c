/**
 * Users who create, start, stop and delete instances, and remember the answers. Acknowledged
 * changes must hold; changes in progress when the server was killed may have happened or not.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { GiB } from '@steading/api/rules'
import { random } from '../../../control-plane/test/support/random.ts'

export interface Api {
  (method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>
}

export const client =
  (url: string, cookie: string): Api =>
  async (method, path, body) => {
    const response = await fetch(url + path, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, body: text ? JSON.parse(text) : undefined }
  }

/**
 * Number of acknowledgements before a kill: random, in the lower half for every other kill and in the
 * upper half for the rest, so that a few kills come after enough of them.
 */
export const acknowledgementsBefore = (kill: number, most: number): number =>
  Math.ceil((((kill % 2) + random()) * most) / 2)

/** An API that sends no new requests once a round is over; pending ones are answered. */
export const until =
  (over: AbortSignal, api: Api): Api =>
  (...args) => {
    if (over.aborted) throw new TypeError('the round is over')
    return api(...args)
  }

export async function listAll(api: Api, kind: 'instances' | 'disks'): Promise<any[]> {
  return (await persistent(api)('GET', `/v1/${kind}?project=work&limit=10000`)).body.items
}

/** Polls until no instance is in a transitional state. */
export async function settled(api: Api, timeoutMs = 120_000): Promise<any[]> {
  const late = AbortSignal.timeout(timeoutMs)
  for (;;) {
    const instances = await listAll(api, 'instances')
    const moving = instances.filter(
      ({ run_state }) => !['running', 'stopped', 'failed'].includes(run_state),
    )
    if (moving.length === 0) return instances
    if (late.aborted) {
      throw new Error(`stuck: ${moving.map((i) => `${i.name} ${i.run_state}`).join(', ')}`)
    }
    await pause(20)
  }
}

type Existence = 'there' | 'gone' | 'unknown'

interface Memory {
  exists: Existence
  /** State last acknowledged or requested; unknown once a request was cut off. */
  wants: 'running' | 'stopped' | 'unknown'
}

/** On a busy machine, a call may lose against others until the server gives up. */
const UNAVAILABLE = 503
/** Milliseconds until such a call is made again. */
const AGAIN_MS = 50

/** A call was given up. It may have taken effect all the same. */
class GivenUpError extends Error {}

/** An API that makes each call again that was given up. */
export const persistent =
  (api: Api): Api =>
  async (...args) => {
    for (;;) {
      const answer = await api(...args)
      if (answer.status !== UNAVAILABLE) return answer
      await pause(AGAIN_MS)
    }
  }

/**
 * Repeats a step until a request fails because the server is gone. A call that was given up ends its
 * step, as if it had been cut off.
 */
export async function untilGone(api: Api, step: (api: Api) => Promise<unknown>): Promise<void> {
  const failing: Api = async (...args) => {
    const answer = await api(...args)
    if (answer.status === UNAVAILABLE) throw new GivenUpError(`${args[0]} ${args[1]}`)
    return answer
  }
  for (;;) {
    try {
      await step(failing)
    } catch (error) {
      // A refused or broken connection is expected; a wrong answer is not.
      if (error instanceof TypeError) return
      if (!(error instanceof GivenUpError)) throw error
      await pause(AGAIN_MS)
    }
  }
}

/** No host has room for a machine. */
const NO_ROOM = 507

interface WorkerOptions {
  /** Maximum number of live instances. */
  most?: number
  /** Of the boot disks. */
  diskSource?: object
}

/** A client with unique names. */
export class Worker {
  readonly instances = new Map<string, Memory>()
  readonly #name: string
  /** Called for each successful request. */
  readonly #acknowledged: () => void
  readonly #most: number
  readonly #diskSource: object
  #count = 0

  constructor(
    name: string,
    acknowledged: () => void,
    { most = 8, diskSource = { type: 'blank', block_size: 512 } }: WorkerOptions = {},
  ) {
    this.#name = name
    this.#acknowledged = acknowledged
    this.#most = most
    this.#diskSource = diskSource
  }

  /** Works until a request fails because the server is gone. */
  async work(api: Api): Promise<void> {
    await untilGone(api, (failing) => this.#step(failing))
  }

  async #step(api: Api): Promise<void> {
    const live = [...this.instances].filter(([, { exists }]) => exists === 'there')
    const pick = live[Math.floor(random() * live.length)]
    const action = random()
    if (!pick || (action < 0.35 && live.length < this.#most)) return this.#create(api)
    const [name, memory] = pick
    if (action < 0.6) return this.#change(api, name, memory, 'start')
    if (action < 0.85) return this.#change(api, name, memory, 'stop')
    return this.#delete(api, name, memory)
  }

  async #create(api: Api): Promise<void> {
    const name = `${this.#name}-${this.#count++}`
    const memory: Memory = { exists: 'unknown', wants: 'unknown' }
    this.instances.set(name, memory)
    const start = random() < 0.5
    const { status } = await api('POST', '/v1/instances?project=work', {
      name,
      description: '',
      ncpus: 1,
      memory: GiB,
      hostname: name,
      start,
      boot_disk: {
        type: 'create',
        name: `${name}-disk`,
        description: '',
        size: GiB,
        disk_backend: { type: 'distributed', disk_source: this.#diskSource },
      },
    })
    if (status === NO_ROOM) {
      memory.exists = 'gone'
      return
    }
    if (status !== 201) throw new Error(`create answered ${status}`)
    this.#acknowledged()
    memory.exists = 'there'
    memory.wants = start ? 'running' : 'stopped'
  }

  async #change(api: Api, name: string, memory: Memory, action: 'start' | 'stop'): Promise<void> {
    const before = memory.wants
    memory.wants = 'unknown'
    const { status } = await api('POST', `/v1/instances/${name}/${action}?project=work`)
    if (status === 202) {
      this.#acknowledged()
      memory.wants = action === 'start' ? 'running' : 'stopped'
    }
    // Refused because of its state, or for lack of room: the desired state has not changed.
    else if (status === 400 || status === 409 || status === NO_ROOM) memory.wants = before
    else throw new Error(`${action} answered ${status}`)
  }

  async #delete(api: Api, name: string, memory: Memory): Promise<void> {
    memory.exists = 'unknown'
    const { status } = await api('DELETE', `/v1/instances/${name}?project=work`)
    if (status === 204) {
      this.#acknowledged()
      memory.exists = 'gone'
    } else if (status === 400) memory.exists = 'there'
    else throw new Error(`delete answered ${status}`)
  }

  /** Acknowledged changes that do not hold. */
  broken(instances: { name: string; run_state: string }[]): string[] {
    const states = new Map(instances.map(({ name, run_state }) => [name, run_state]))
    return [...this.instances].flatMap(([name, { exists, wants }]) => {
      const is = states.get(name)
      if (exists === 'there' && is === undefined) return [`${name} was acknowledged and is gone`]
      if (exists === 'gone' && is !== undefined) return [`${name} was deleted and is ${is}`]
      const known = exists === 'there' && wants !== 'unknown'
      return known && is !== wants ? [`${name} should be ${wants} and is ${is}`] : []
    })
  }
}
