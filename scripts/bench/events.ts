/** Processor time of a write while many clients follow events. */
import { get, type ClientRequest } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEngine } from '../../packages/node/src/engine.ts'
import { defaultConfig } from '../../packages/node/src/config.ts'
import { createSession, openDatabase } from '../../packages/control-plane/src/index.ts'
import { openSqlite } from '../../packages/node/src/sqlite.ts'
import { type BenchHost, signIn, startHost } from './host.ts'

const FOLLOWERS = 2_000
const USERS = 100
const WRITES = 300
/** Sequential writes that change one thing of one project. */
const PROJECT = 'followed'

/** Users of silo `main` with a session each: half of them can read the project, or none. */
async function createUsers(data: string): Promise<string[]> {
  const { db, close } = await openDatabase(
    openSqlite(join(data, 'steading.db')),
    (await createEngine({ ...defaultConfig(), engine: 'simulated', data })).engine,
  )
  const now = new Date().toISOString()
  const silo = await db.selectFrom('silo').select('id').executeTakeFirstOrThrow()
  const cookies: string[] = []
  for (let index = 0; index < USERS; index++) {
    const id = crypto.randomUUID()
    await db
      .insertInto('silo_user')
      .values({
        id,
        silo_id: silo.id,
        external_id: `user-${index}`,
        display_name: `user-${index}`,
        password_hash: null,
        time_created: now,
        time_modified: now,
        time_deleted: null,
      })
      .execute()
    if (index % 2 === 0) {
      await db
        .insertInto('role_assignment')
        .values({
          resource_type: 'silo',
          resource_id: silo.id,
          identity_type: 'silo_user',
          identity_id: id,
          role_name: 'viewer',
        })
        .execute()
    }
    cookies.push(`session=${await createSession(db, id, new Date())}`)
  }
  await close()
  return cookies
}

interface Followers {
  /** Number of changes received. */
  told: () => number
  leave: () => void
}

async function follow(url: string, cookies: string[], count: number): Promise<Followers> {
  let told = 0
  const requests: ClientRequest[] = []
  for (let index = 0; index < count; index++) {
    const headers = { cookie: cookies[index % cookies.length]! }
    await new Promise<void>((resolve, reject) => {
      const request = get(`${url}/x/v1/events`, { headers, agent: false }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`status ${response.statusCode}`))
        response.on('data', (chunk: Buffer) => {
          for (let at = -1; (at = chunk.indexOf('event: change', at + 1)) >= 0;) told++
        })
        resolve()
      })
      request.on('error', () => {})
      requests.push(request)
    })
  }
  return {
    told: () => told,
    leave: () => {
      for (const request of requests) request.destroy()
    },
  }
}

/** @returns milliseconds of processor time and of latency per write */
async function writes(host: BenchHost, cookie: string): Promise<{ cpu: number; wait: number }> {
  const before = host.cpu()
  const began = performance.now()
  for (let index = 0; index < WRITES; index++) {
    const response = await fetch(`${host.url}/v1/projects/${PROJECT}`, {
      method: 'PUT',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ description: String(index) }),
    })
    await response.arrayBuffer()
    if (!response.ok) throw new Error(`a write answered ${response.status}`)
  }
  const wait = (performance.now() - began) / WRITES
  // Pending notifications belong to these writes as well.
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  return { cpu: (host.cpu() - before) / WRITES, wait }
}

export async function eventFigures(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), 'steading-events-'))
  let host: BenchHost | undefined
  try {
    host = await startHost(data)
    await host.stop()
    const cookies = await createUsers(data)
    host = await startHost(data)
    const cookie = await signIn(host.url)
    await fetch(`${host.url}/v1/projects`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify({ name: PROJECT, description: '' }),
    })
    await writes(host, cookie)
    const alone = await writes(host, cookie)
    console.log(`events: a write costs ${alone.cpu.toFixed(1)} ms of processor time`)
    for (const [who, some] of [
      ['who may not read it', cookies.filter((_, index) => index % 2 === 1)],
      ['who are all told of it', cookies.filter((_, index) => index % 2 === 0)],
    ] as const) {
      const followers = await follow(host.url, some, FOLLOWERS)
      const { cpu, wait } = await writes(host, cookie)
      console.log(
        `${FOLLOWERS} followers ${who}: ${(cpu - alone.cpu).toFixed(1)} ms more for each write, which takes ${wait.toFixed(0)} ms; ${followers.told()} changes told`,
      )
      followers.leave()
      await new Promise((resolve) => setTimeout(resolve, 500))
    }
  } finally {
    await host?.stop()
    rmSync(data, { recursive: true, force: true })
  }
}
