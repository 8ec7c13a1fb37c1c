/** A data directory on a full disk. */
import {
  closeSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { diskFullMessage, GiB, RAW_CHUNK_MAX } from '@steading/api/rules'
import { describe, expect, test, vi } from 'vitest'
import {
  PASSWORD,
  post,
  MANY_PASSES,
  passesOf,
  runToEnd,
  seenFromOutside,
  signIn,
  type SmallDisk,
  smallDiskMissing,
  startProcess,
  temporaryDirectory,
  WITH_METRICS,
} from './support/process.ts'

const missing = smallDiskMissing()
if (missing) console.warn(`The tests of a full disk are left out: ${missing}.`)

const MEGABYTE = 1024 * 1024
const KEEP_FREE = 32

/** Fills the disk. */
function fill(directory: string): void {
  const file = openSync(join(directory, 'ballast'), 'a')
  try {
    for (let size = MEGABYTE; size >= 512; size /= 2) {
      const piece = Buffer.alloc(size, 1)
      try {
        for (;;) writeSync(file, piece)
      } catch {
        // No space for this size; a smaller one may fit.
      }
    }
  } finally {
    closeSync(file)
  }
}

async function send(
  url: string,
  cookie: string,
  method: string,
  path: string,
  body?: object | Uint8Array<ArrayBuffer>,
) {
  const bytes = body instanceof Uint8Array
  const response = await fetch(url + path, {
    method,
    headers: {
      cookie,
      ...(body && { 'content-type': bytes ? 'application/octet-stream' : 'application/json' }),
    },
    body: bytes ? body : body && JSON.stringify(body),
  })
  const text = await response.text()
  return {
    status: response.status,
    body: (text && JSON.parse(text)) as {
      message?: string
      id: string
      state: { state: string }
      items: { id: string }[]
    },
  }
}

describe.skipIf(missing)('a full disk', () => {
  const smallDisk = (): SmallDisk => ({ directory: temporaryDirectory(), kilobytes: 128 * 1024 })

  test('announced uploads reserve space for their missing parts @long', async () => {
    const disk = smallDisk()
    const server = await startProcess(
      ['--data', disk.directory, '--keep-free', String(KEEP_FREE)],
      undefined,
      disk,
    )
    const cookie = await signIn(server.url)
    const uploads = '/x/v1/system/update/uploads'
    const announce = (size: number) =>
      send(server.url, cookie, 'POST', uploads, { file_name: 'a.zip', size })
    const half = 30 * MEGABYTE
    const one = await announce(half)
    const two = await announce(half)
    expect([one.status, two.status]).toEqual([201, 201])
    const refused = await announce(half)
    expect(refused).toMatchObject({ status: 507, body: { error_code: 'InsufficientCapacity' } })
    const left = Number(/space for (\d+) more bytes/.exec(refused.body.message!)![1])
    expect(left).toBeLessThan(half)
    // Received bytes are no longer reserved, because they use space.
    const chunk = new Uint8Array(4 * MEGABYTE).fill(7)
    for (let offset = 0; offset + chunk.length <= half; offset += chunk.length) {
      const path = `${uploads}/${one.body.id}/contents?offset=${offset}`
      expect((await send(server.url, cookie, 'PUT', path, chunk)).status).toBe(204)
    }
    expect((await announce(left - 4 * MEGABYTE)).status).toBe(201)
    expect((await announce(half)).status).toBe(507)
    // A cancelled upload releases its space.
    expect((await send(server.url, cookie, 'DELETE', `${uploads}/${two.body.id}`)).status).toBe(204)
    expect((await announce(half)).status).toBe(201)
  })

  test('lets users sign in, read, delete and move disks away, and is reported once', async () => {
    const disk = smallDisk()
    const server = await startProcess(
      [
        '--data',
        disk.directory,
        '--keep-free',
        String(KEEP_FREE),
        '--boot-ms',
        '0',
        ...WITH_METRICS,
      ],
      undefined,
      disk,
    )
    const { url } = server
    const outside = seenFromOutside(server, disk)
    const cookie = await signIn(url)
    const call = (method: string, path: string, body?: object | Uint8Array<ArrayBuffer>) =>
      send(url, cookie, method, path, body)
    await post(url, cookie, '/v1/projects', { name: 'work', description: '' })
    const machine = { description: '', hostname: 'machine', ncpus: 1, memory: GiB }
    await post(url, cookie, '/v1/instances?project=work', { ...machine, name: 'machine' })

    const blank = { type: 'blank', block_size: 4096 }
    await post(url, cookie, '/v1/disks?project=work', {
      name: 'grain',
      description: '',
      size: GiB,
      disk_backend: { type: 'distributed', disk_source: blank },
    })
    const shelf = { name: 'shelf', description: '', type: 'directory', path: '/mnt/sim-shelf' }
    await post(url, cookie, '/x/v1/system/storage-pools', shelf)

    const policy = { restorable_hours: 24 }
    expect((await call('PUT', '/x/v1/deletion-policy', policy)).status).toBe(200)

    const ci = { name: 'ci', access: 'full' }
    const made = await post(url, cookie, '/x/v1/me/access-tokens', ci)
    const { token } = (await made.json()) as { token: string }

    // An upload stops before it takes the database's space.
    await post(url, cookie, '/v1/disks?project=work', {
      name: 'upload',
      description: '',
      size: GiB,
      disk_backend: {
        type: 'distributed',
        disk_source: { type: 'importing_blocks', block_size: 4096 },
      },
    })
    await vi.waitFor(async () => {
      const { status } = await call('POST', '/v1/disks/upload/bulk-write-start?project=work')
      expect(status).toBe(204)
    }, 30_000)
    const chunk = new Uint8Array(RAW_CHUNK_MAX).fill(7)
    const upload = async () => {
      for (let offset = 0; ; offset += chunk.length) {
        const path = `/x/v1/disks/upload/contents?project=work&offset=${offset}`
        const answer = await call('PUT', path, chunk)
        if (answer.status !== 204) return answer
      }
    }
    expect(await upload()).toMatchObject({
      status: 507,
      body: { error_code: 'InsufficientCapacity' },
    })
    await post(url, cookie, '/v1/projects', { name: 'still', description: '' })
    const stored = () =>
      readdirSync(join(outside, 'volumes')).filter((name) => !name.startsWith('.'))
    expect(stored()).toHaveLength(1)

    // Another program takes the rest.
    fill(outside)
    const createProject = async () => {
      for (let count = 0; ; count++) {
        const answer = await call('POST', '/v1/projects', { name: `p-${count}`, description: '' })
        if (answer.status !== 201) return answer
      }
    }
    expect(await createProject()).toEqual({
      status: 507,
      body: {
        request_id: expect.any(String),
        error_code: 'InsufficientCapacity',
        message: `Insufficient capacity: ${diskFullMessage}`,
      },
    })

    // Access tokens still work, although their use cannot be stored.
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${url}/v1/me`, { headers })).status).toBe(200)

    // The server continues to accept calls, and operators are notified.
    const state = async <T>(path: string) => (await (await fetch(url + path)).json()) as T
    expect(await state('/x/v1/health')).toEqual({ live: true, ready: true, status: 'ready' })
    expect((await call('GET', '/x/v1/system/health')).body).toMatchObject({ disk_full: true })

    // Everything that must continue does, without load from blocked work.
    const passes = await passesOf(server)
    for (let times = 0; times < 5; times++) {
      const other = await signIn(url)
      expect((await send(url, other, 'GET', '/v1/projects')).status).toBe(200)
      expect((await send(url, other, 'POST', '/v1/logout')).status).toBe(204)
      expect((await send(url, other, 'GET', '/v1/projects')).status).toBe(401)
      expect((await fetch(`${url}/v1/ping`)).status).toBe(200)
    }
    expect((await createProject()).status).toBe(507)
    expect((await call('POST', '/v1/instances/machine/stop?project=work')).status).toBe(202)
    await vi.waitFor(
      async () => {
        const { body } = await call('GET', '/v1/instances/machine?project=work')
        expect(body).toMatchObject({ run_state: 'stopped' })
      },
      { timeout: 120_000 },
    )
    expect((await passesOf(server)) - passes).toBeLessThan(MANY_PASSES)

    // A disk that moves to another pool makes room.
    const grain = (action: string) => `/x/v1/disks/grain/${action}?project=work`
    expect((await call('POST', grain('move'), { pool: 'shelf' })).status).toBe(202)
    await vi.waitFor(
      async () => {
        const { body } = await call('GET', grain('storage'))
        expect(body).toMatchObject({ pool: { name: 'shelf' }, move: null })
      },
      { timeout: 120_000 },
    )

    // A deleted disk is kept as the policy says, but not while the disk is full.
    const path = (action: string) => `/v1/disks/upload${action}?project=work`
    expect((await call('POST', path('/bulk-write-stop'))).status).toBe(204)
    expect((await call('POST', path('/finalize'), {})).status).toBe(204)
    await vi.waitFor(async () => expect((await call('DELETE', path(''))).status).toBe(204), {
      timeout: 120_000,
    })
    await vi.waitFor(() => expect(stored()).toEqual([]), { timeout: 120_000 })
    await vi.waitFor(() => expect(server.log()).toContain('there is room on the disk again'), {
      timeout: 120_000,
    })
    expect((await call('POST', '/v1/projects', { name: 'again', description: '' })).status).toBe(
      201,
    )

    // The space is free again, and the reserve restored.
    expect(statSync(join(outside, 'reserve')).size).toBe(16 * MEGABYTE)
    const { code, stderr } = await server.end('SIGTERM')
    expect(code).toBe(0)
    const lines = stderr.trim().split('\n')
    expect(lines.map((line) => line.replace(/^\S+ /, ''))).toEqual([
      expect.stringMatching(/^the disk is full; /),
      'there is room on the disk again',
    ])
  })

  test('does little work and writes little log, even without a reserve @long', async () => {
    const disk = smallDisk()
    const server = await startProcess(
      ['--data', disk.directory, '--boot-ms', '2000', ...WITH_METRICS],
      undefined,
      disk,
    )
    const { url } = server
    const outside = seenFromOutside(server, disk)
    const cookie = await signIn(url)
    await post(url, cookie, '/v1/projects', { name: 'work', description: '' })
    const machine = { description: '', hostname: 'machine', ncpus: 1, memory: GiB, start: true }
    const create = async (name: string) => {
      const path = '/v1/instances?project=work'
      return (await send(url, cookie, 'POST', path, { ...machine, name })).status
    }
    // They are starting, which leaves work for the reconciler.
    for (let count = 0; count < 5; count++) expect(await create(`m-${count}`)).toBe(201)
    fill(outside)
    // SQLite's log has space for some writes.
    for (let refused = 0, count = 5; refused < 3; count++) {
      const status = await create(`m-${count}`)
      expect([201, 507]).toContain(status)
      if (status === 507) refused++
      rmSync(join(outside, 'reserve'), { force: true })
      fill(outside)
    }
    const passes = await passesOf(server)
    for (let times = 0; times < 30; times++) {
      expect((await send(url, cookie, 'GET', '/v1/projects')).status).toBe(200)
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    expect((await passesOf(server)) - passes).toBeLessThan(MANY_PASSES)
    expect(server.log().length).toBeLessThan(2_000)

    rmSync(join(outside, 'ballast'))
    await vi.waitFor(() => expect(server.log()).toContain('there is room on the disk again'), {
      timeout: 120_000,
    })
    await vi.waitFor(
      async () => {
        const { body } = await send(url, cookie, 'GET', '/v1/instances/m-0?project=work')
        expect(['running', 'stopped']).toContain((body as { run_state?: string }).run_state)
      },
      { timeout: 120_000 },
    )
  })

  test('fails a backup, which leaves nothing behind and works again once there is free space @long', async () => {
    const disk = smallDisk()
    const server = await startProcess(['--data', disk.directory], undefined, disk)
    const outside = seenFromOutside(server, disk)
    const cookie = await signIn(server.url)
    await post(server.url, cookie, '/v1/projects', { name: 'work', description: '' })
    const target = temporaryDirectory()
    const backup = (directory: string) => {
      const args = ['backup', join(directory, 'file'), '--data', disk.directory]
      return runToEnd(args, {}, { besides: server })
    }
    fill(outside)
    const ballast = join(outside, 'ballast')
    const held = readdirSync(outside)

    // The space is needed in the data directory, wherever the backup is written: none, and too
    // little.
    for (const [directory, room] of [
      [target, 0],
      [target, MEGABYTE / 2],
      [disk.directory, 0],
    ] as const) {
      truncateSync(ballast, statSync(ballast).size - room)
      const { code, stdout, stderr } = await backup(directory)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toMatch(/^steading: (cannot write the backup: )?the disk is full; [^\n]+\n$/)
    }
    expect(readdirSync(target)).toEqual([])
    expect(readdirSync(outside).filter((name) => !held.includes(name))).toEqual(['.backup'])
    expect(readdirSync(join(outside, '.backup'))).not.toContain('content')
    expect((await send(server.url, cookie, 'GET', '/v1/projects')).status).toBe(200)

    rmSync(ballast)
    expect(await backup(target)).toMatchObject({ code: 0, stderr: '' })
    expect(readdirSync(target)).toEqual(['file'])
    expect(await server.end('SIGTERM')).toMatchObject({ code: 0 })
  })

  test('is reported in one line when a server starts @long', async () => {
    const disk = { ...smallDisk(), kilobytes: 256 }
    const env = { STEADING_ADMIN_PASSWORD: PASSWORD }
    const run = runToEnd(['--data', disk.directory, '--port', '0'], env, disk)
    expect(await run).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `steading: the disk is full; make room for ${disk.directory} and start again\n`,
    })
  })
})
