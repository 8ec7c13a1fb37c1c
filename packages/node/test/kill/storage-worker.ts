/**
 * A client that imports disks and takes and deletes snapshots, and remembers acknowledged requests:
 * an acknowledged chunk must be in its disk, and in the snapshots taken after it.
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { GiB } from '@steading/api/rules'
import { random } from '../../../control-plane/test/support/random.ts'
import { type Api, untilGone } from './workload.ts'

const CHUNK = 8 * 1024

interface Import {
  disk: string
  offset: number
  data: Buffer
  /** Last acknowledged state; unknown once a request about it was cut off. */
  disk_is: 'unknown' | 'made' | 'written' | 'finished' | 'deleted'
  snapshot_is: 'unknown' | 'none' | 'there' | 'gone'
}

export class StorageWorker {
  readonly imports: Import[] = []
  readonly #name: string
  /** Called for each successful request. */
  readonly #acknowledged: () => void
  readonly #patienceMs: number

  /** @param patienceMs time for a transition after its call was answered */
  constructor(name: string, acknowledged: () => void, patienceMs = 0) {
    this.#name = name
    this.#acknowledged = acknowledged
    this.#patienceMs = patienceMs
  }

  /** Works until a request fails because the server is gone. */
  async work(api: Api): Promise<void> {
    await untilGone(api, (failing) => this.#step(failing))
  }

  async #step(api: Api): Promise<void> {
    const name = `${this.#name}-${this.imports.length}`
    const one: Import = {
      disk: name,
      offset: Math.floor(random() * (GiB / CHUNK)) * CHUNK,
      data: randomBytes(CHUNK),
      disk_is: 'unknown',
      snapshot_is: 'none',
    }
    this.imports.push(one)
    const disk_source = { type: 'importing_blocks', block_size: 512 }
    const body = { name, description: '', size: GiB }
    const disk_backend = { type: 'distributed', disk_source }
    await this.#ask(api, 'POST', '/v1/disks', 201, { ...body, disk_backend })
    one.disk_is = 'made'
    // The import may have to wait for the disk, if the server was killed while creating it.
    await this.#ask(api, 'POST', `/v1/disks/${name}/bulk-write-start`, 204)
    const chunk = { offset: one.offset, base64_encoded_data: one.data.toString('base64') }
    await this.#ask(api, 'POST', `/v1/disks/${name}/bulk-write`, 204, chunk)
    one.disk_is = 'written'
    await this.#ask(api, 'POST', `/v1/disks/${name}/bulk-write-stop`, 204)
    one.snapshot_is = 'unknown'
    await this.#ask(api, 'POST', `/v1/disks/${name}/finalize`, 204, { snapshot_name: name })
    one.snapshot_is = 'there'
    one.disk_is = 'finished'
    if (random() < 0.5) {
      one.snapshot_is = 'unknown'
      await this.#ask(api, 'DELETE', `/v1/snapshots/${name}`, 204)
      one.snapshot_is = 'gone'
    }
    if (random() < 0.5) {
      one.disk_is = 'unknown'
      await this.#ask(api, 'DELETE', `/v1/disks/${name}`, 204)
      one.disk_is = 'deleted'
    }
  }

  async #ask(api: Api, method: string, path: string, expected: number, body?: object) {
    const late = AbortSignal.timeout(this.#patienceMs)
    let { status, body: answer } = await api(method, `${path}?project=work`, body)
    // Work claimed by a dead server continues when the lease has expired.
    while (status === 400 && !late.aborted) {
      await pause(50)
      ;({ status, body: answer } = await api(method, `${path}?project=work`, body))
    }
    if (status !== expected) {
      throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(answer)}`)
    }
    this.#acknowledged()
  }

  /** Acknowledged changes that do not hold. */
  async broken(url: string, cookie: string): Promise<string[]> {
    const found: string[] = []
    const check = async (kind: 'disks' | 'snapshots', { disk, offset, data }: Import) => {
      const range = `bytes=${offset}-${offset + data.length - 1}`
      const headers = { cookie, range }
      const path = `${url}/x/v1/${kind}/${disk}/contents?project=work`
      const response = await fetch(path, { headers })
      const bytes = Buffer.from(await response.arrayBuffer())
      if (!bytes.equals(data)) found.push(`${kind} ${disk}: ${response.status}, other bytes`)
    }
    for (const one of this.imports) {
      if (one.disk_is === 'written' || one.disk_is === 'finished') await check('disks', one)
      if (one.snapshot_is === 'there') await check('snapshots', one)
      for (const [kind, is] of [
        ['disks', one.disk_is === 'deleted'],
        ['snapshots', one.snapshot_is === 'gone'],
      ] as const) {
        if (!is) continue
        const path = `${url}/v1/${kind}/${one.disk}?project=work`
        const { status } = await fetch(path, { headers: { cookie } })
        if (status !== 404) found.push(`${kind} ${one.disk} was deleted, and answers ${status}`)
      }
    }
    return found
  }
}
