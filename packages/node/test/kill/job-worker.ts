/**
 * A client that starts, reboots and stops all its instances with jobs. An instance counts its
 * reboots since its start, which reveals repeated and lost steps.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { GiB } from '@steading/api/rules'
import { type Api, persistent, untilGone } from './workload.ts'

export const BULK_INSTANCES = 20
const rounds = ['start', 'reboot', 'reboot', 'reboot', 'stop'] as const

export class JobWorker {
  /** Violations. */
  readonly wrong: string[] = []
  /** Completed jobs. */
  finished = 0
  /** Reboots of every instance since its start. */
  reboots = 0
  readonly #acknowledged: () => void
  readonly #ids: string[] = []
  #job: string | undefined

  /** @param acknowledged called for each successful request */
  constructor(acknowledged: () => void) {
    this.#acknowledged = acknowledged
  }

  /** Creates the instances, before the server is first killed. */
  async prepare(api: Api): Promise<void> {
    const create = async (index: number): Promise<string> => {
      const name = `bulk-${index}`
      const request = { name, description: '', ncpus: 1, memory: GiB, hostname: name, start: false }
      // So many at once may contend for longer than a server retries.
      const { status, body } = await persistent(api)('POST', '/v1/instances?project=work', request)
      if (status === 201) return body.id
      throw new Error(`create answered ${status}: ${JSON.stringify(body)}`)
    }
    const indexes = Array.from({ length: BULK_INSTANCES }, (_, index) => index)
    this.#ids.push(...(await Promise.all(indexes.map(create))))
  }

  /** Plans the first job, so that there is one however soon the server is killed. */
  async begin(api: Api): Promise<void> {
    this.#job = await this.#plan(api, rounds[0]!)
  }

  /** Works until a request fails because the server is gone. */
  async work(api: Api): Promise<void> {
    await untilGone(api, (failing) => this.#step(failing))
  }

  /** Waits for the end of all jobs. */
  async finish(api: Api): Promise<void> {
    while (this.#job) await this.#step(persistent(api))
  }

  async #step(api: Api): Promise<void> {
    const action = rounds[this.finished % rounds.length]!
    this.#job ??= await this.#plan(api, action)
    const { body: job } = await api('GET', `/x/v1/jobs/${this.#job}`)
    if (job.state === 'planned') {
      const { status } = await api('POST', `/x/v1/jobs/${this.#job}/start`)
      if (status === 202) this.#acknowledged()
    } else if (job.state === 'done') {
      if (job.counts.succeeded !== BULK_INSTANCES) {
        const { body: items } = await api('GET', `/x/v1/jobs/${this.#job}/items?state=failed`)
        const reasons = items.items.map(({ reason }: { reason: string }) => reason)
        this.wrong.push(`${action}: ${JSON.stringify(job.counts)}: ${reasons.join('; ')}`)
      }
      const said = Object.values<number>(job.counts).reduce((sum, count) => sum + count)
      if (said !== BULK_INSTANCES) this.wrong.push(`${action} counts ${said} items`)
      if (action === 'start') this.reboots = 0
      if (action === 'reboot') this.reboots++
      this.finished++
      this.#job = undefined
    } else await pause(50)
  }

  async #plan(api: Api, action: string): Promise<string> {
    const target = { type: 'ids', ids: this.#ids }
    const body = { action, kind: 'instance', project: 'work', target }
    const { status, body: job } = await api('POST', '/x/v1/jobs', body)
    if (status !== 201) throw new Error(`planning answered ${status}: ${JSON.stringify(job)}`)
    this.#acknowledged()
    return job.id
  }
}
