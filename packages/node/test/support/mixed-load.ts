/**
 * A mixed load of a console and API clients at one address: lists, views, creates and deletes,
 * followers of events and a serial console. Everything is checked against earlier answers.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { GiB } from '@steading/api/rules'
import { WebSocket } from 'ws'

export interface LoadOptions {
  url: string
  cookie: string
  /** Number of writing clients. */
  clients: number
  followers: number
  /** Duration in which new work is started. */
  milliseconds: number
}

export interface LoadResult {
  /** Calls per second. */
  perSecond: number
  /** Latency in milliseconds. */
  p50: number
  p99: number
  calls: number
  /** Lines echoed by the serial console. */
  lines: number
  /** Changes received by each follower. */
  told: number
  /** Violations. */
  wrong: string[]
}

const PROJECT = 'load'
/** Timeout for events and console echoes, which only ends hangs. Milliseconds. */
const PATIENCE_MS = 120_000

type Call = (method: string, path: string, body?: object) => Promise<{ status: number; body: any }>

/** Creates the project of the load, with a running instance. */
async function prepare(call: Call): Promise<string> {
  await call('POST', '/v1/projects', { name: PROJECT, description: '' })
  const name = `console-${Date.now().toString(36)}`
  const made = await call('POST', `/v1/instances?project=${PROJECT}`, {
    name,
    hostname: name,
    description: '',
    ncpus: 1,
    memory: GiB,
    network_interfaces: { type: 'none' },
    start: true,
  })
  const { id } = made.body
  for (const began = Date.now(); Date.now() - began < PATIENCE_MS; await pause(20)) {
    if ((await call('GET', `/v1/instances/${id}`)).body.run_state === 'running') return id
  }
  throw new Error('the instance with the console does not run')
}

/** Follows events, and remembers created and deleted disks. */
async function follow({ url, cookie }: LoadOptions) {
  const leaving = new AbortController()
  const response = await fetch(`${url}/x/v1/events`, {
    headers: { cookie },
    signal: leaving.signal,
  })
  const heard = new Set<string>()
  const listen = async () => {
    let text = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const blocks = (text + chunk).split('\n\n')
      text = blocks.pop()!
      for (const block of blocks) {
        const data = /^data: (.*)$/m.exec(block)?.[1]
        if (!/^event: change$/m.test(block) || !data) continue
        const { resource, action, resource_id } = JSON.parse(data)
        if (resource === 'disks') heard.add(`${action} ${resource_id}`)
      }
    }
  }
  const listening = listen().catch((error: unknown) => {
    if (!leaving.signal.aborted) throw error
  })
  return {
    heard,
    async leave() {
      leaving.abort()
      await listening
    },
  }
}

/** Types lines, waiting for each one to be printed. */
async function typeLines({ url, cookie }: LoadOptions, instance: string, isActive: () => boolean) {
  const path = `/v1/instances/${instance}/serial-console/stream`
  const socket = new WebSocket(url.replace('http', 'ws') + path, { headers: { cookie } })
  let seen = ''
  socket.on('message', (data: Buffer) => {
    seen = (seen + data.toString()).slice(-4096)
  })
  const sees = async (text: RegExp) => {
    for (const began = Date.now(); !text.test(seen); await pause(5)) {
      if (Date.now() - began > PATIENCE_MS) throw new Error(`the console did not print ${text}`)
    }
  }
  let lines = 0
  try {
    await sees(/:~# $/)
    while (isActive()) {
      socket.send(Buffer.from(`printf line-${lines}\\n\r`))
      await sees(new RegExp(`\r\nline-${lines}\r\n.*:~# $`))
      lines++
    }
    return lines
  } finally {
    socket.terminate()
  }
}

export async function mixedLoad(options: LoadOptions): Promise<LoadResult> {
  const { url, cookie, clients, milliseconds } = options
  const wrong: string[] = []
  const times: number[] = []
  const call: Call = async (method, path, body) => {
    const at = performance.now()
    const response = await fetch(url + path, {
      method,
      headers: { cookie, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    const text = await response.text()
    times.push(performance.now() - at)
    return { status: response.status, body: text ? JSON.parse(text) : undefined }
  }
  const expected = async (status: number, ...[method, path, body]: Parameters<Call>) => {
    const answer = await call(method, path, body)
    if (answer.status !== status) wrong.push(`${method} ${path} answered ${answer.status}`)
    return answer.body
  }

  const instance = await prepare(call)
  const followers = await Promise.all(
    Array.from({ length: options.followers }, () => follow(options)),
  )
  const changes: string[] = []
  times.length = 0
  const began = performance.now()
  const isActive = () => performance.now() - began < milliseconds
  const within = `project=${PROJECT}`

  /** Each step reads through one server the results of the previous step on another. */
  const work = async (client: number) => {
    for (let round = 0; isActive(); round++) {
      const name = `disk-${client}-${round}-${Date.now().toString(36)}`
      const disk_source = { type: 'blank', block_size: 512 }
      const disk_backend = { type: 'distributed', disk_source }
      const disk = { name, description: '', size: GiB, disk_backend }
      const made = await expected(201, 'POST', `/v1/disks?${within}`, disk)
      if (!made?.id) continue
      const list = async () => {
        const { items = [] } = await expected(200, 'GET', `/v1/disks?${within}&limit=1000`)
        return items.some(({ id }: { id: string }) => id === made.id)
      }
      if (!(await list())) wrong.push(`${name} was made and is not in the list`)
      await expected(200, 'GET', `/v1/disks/${made.id}`)
      const search = await expected(200, 'GET', `/x/v1/disks?${within}&search=${name}`)
      if (search.items?.length !== 1) wrong.push(`${name} was made and is not found`)
      await expected(204, 'DELETE', `/v1/disks/${made.id}`)
      if (await list()) wrong.push(`${name} was deleted and is in the list`)
      await expected(404, 'GET', `/v1/disks/${made.id}`)
      changes.push(`create ${made.id}`, `delete ${made.id}`)
    }
  }
  const [lines] = await Promise.all([
    typeLines(options, instance, isActive),
    ...Array.from({ length: clients }, (_, client) => work(client)),
  ])
  const seconds = (performance.now() - began) / 1000
  const sorted = times.toSorted((a, b) => a - b)
  for (const { heard, leave } of followers) {
    const missing = () => changes.filter((change) => !heard.has(change))
    for (const since = Date.now(); missing().length > 0 && Date.now() - since < PATIENCE_MS;) {
      await pause(20)
    }
    for (const change of missing()) wrong.push(`a follower was not told of: ${change}`)
    await leave()
  }
  await expected(202, 'POST', `/v1/instances/${instance}/stop`)
  return {
    perSecond: sorted.length / seconds,
    p50: sorted[sorted.length >> 1] ?? 0,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    calls: sorted.length,
    lines,
    told: changes.length,
    wrong,
  }
}
