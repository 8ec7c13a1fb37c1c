/**
 * A client that starts, reboots and stops all its instances with jobs. An instance counts its
 * reboots since its start, so a step that is done twice or not at all shows.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { GiB } from '@steading/api/rules'
import { type Api, untilGone } from './workload.ts'

export const BULK_INSTANCES = 20
const rounds = ['start', 'reboot', 'reboot', 'reboot', 'stop'] as const

export class JobWorker {
  /** What was not as it should be. */
  readonly wrong: string[] = []
  /** Jobs that have come to their end. */
  finished = 0
  /** Reboots that every instance has had since its start. */
  reboots = 0
  readonly #acknowledged: () => void
  readonly #ids: string[] = []
  #job: string | undefined

  /** @param acknowledged told of each request that was answered with success */
  constructor(acknowledged: () => void) {
    this.#acknowledged = acknowledged
  }

  /** Makes the instances, before the server is killed for the first time. */
  async prepare(api: Api): Promise<void> {
    const create = async (_: unknown, index: number): Promise<string> => {
      const name = `bulk-${index}`
      const body = { name, description: '', ncpus: 1, memory: GiB, hostname: name, start: false }
      const { body: instance } = await api('POST', '/v1/instances?project=work', body)
      return instance.id
    }
    this.#ids.push(...(await Promise.all(Array.from({ length: BULK_INSTANCES }, create))))
  }

  /** Plans the first job, so that there is one however soon the server is killed. */
  async begin(api: Api): Promise<void> {
    this.#job = await this.#plan(api, rounds[0]!)
  }

  /** Works until a request fails because the server is gone. */
  async work(api: Api): Promise<void> {
    await untilGone(() => this.#step(api))
  }

  /** Sees what was begun to its end. */
  async finish(api: Api): Promise<void> {
    while (this.#job) await this.#step(api)
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
        this.wrong.push(`${action}: ${JSON.stringify(job.counts)}`)
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
