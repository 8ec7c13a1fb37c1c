/** Backups of a running server, and their restored state. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { postgresToolsMissing, startPostgres } from '../../control-plane/test/support/postgres.ts'
import { post, runToEnd, signIn, startProcess, temporaryDirectory } from './support/process.ts'

const CHUNK = 64 * 1024
const GiB = 2 ** 30

class Caller {
  readonly url: string
  readonly cookie: string

  constructor(url: string, cookie: string) {
    this.url = url
    this.cookie = cookie
  }

  post = (path: string, body: object) => post(this.url, this.cookie, path, body)

  get = (path: string, headers: Record<string, string> = {}) =>
    fetch(this.url + path, { headers: { cookie: this.cookie, ...headers } })

  async read<T>(path: string): Promise<T> {
    return (await (await this.get(path)).json()) as T
  }

  /** A disk with an import in progress, with some bytes at its end. */
  async import(name: string, bytes: Buffer): Promise<void> {
    const disk_source = { type: 'importing_blocks', block_size: 512 }
    const disk_backend = { type: 'distributed', disk_source }
    const body = { name, description: '', size: GiB, disk_backend }
    await this.post('/v1/disks?project=web', body)
    await reaches(this, name, 'import_ready')
    await this.post(`/v1/disks/${name}/bulk-write-start?project=web`, {})
    await this.post(`/v1/disks/${name}/bulk-write?project=web`, {
      offset: GiB - bytes.length,
      base64_encoded_data: bytes.toString('base64'),
    })
  }

  async finish(name: string): Promise<void> {
    await this.post(`/v1/disks/${name}/bulk-write-stop?project=web`, {})
    await this.post(`/v1/disks/${name}/finalize?project=web`, {})
    await reaches(this, name, 'detached')
  }

  async endOf(disk: string): Promise<Buffer> {
    const range = { range: `bytes=${GiB - CHUNK}-${GiB - 1}` }
    const answer = await this.get(`/x/v1/disks/${disk}/contents?project=web`, range)
    return Buffer.from(await answer.arrayBuffer())
  }

  async projects(): Promise<string[]> {
    const { items } = await this.read<{ items: { name: string }[] }>('/v1/projects?limit=1000')
    return items.map(({ name }) => name)
  }
}

async function reaches(caller: Caller, disk: string, expected: string): Promise<void> {
  await vi.waitFor(async () => {
    const found = await caller.read<{ state: { state: string } }>(`/v1/disks/${disk}?project=web`)
    expect(found.state.state).toBe(expected)
  }, 30_000)
}

const startAndSignIn = async (options: string[]) => {
  const server = await startProcess(options)
  return { server, caller: new Caller(server.url, await signIn(server.url)) }
}

/** Creates projects one after the other until it is stopped. */
function makeProjects(caller: Caller) {
  const made: string[] = []
  let going = true
  const ended = (async () => {
    while (going) {
      const name = `p-${made.length}`
      await caller.post('/v1/projects', { name, description: '' })
      made.push(name)
    }
  })()
  return {
    made,
    async stop() {
      going = false
      await ended
    },
  }
}

/** Options of a server, and of another one with its own directory and database. */
interface Places {
  options: string[]
  other: string[]
}

async function embedded(): Promise<Places> {
  const there = join(temporaryDirectory(), 'restored')
  return { options: ['--data', temporaryDirectory()], other: ['--data', there] }
}

async function postgres(): Promise<Places> {
  const { url, stop } = await startPostgres(temporaryDirectory(), { withTools: true })
  onTestFinished(() => stop())
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('create database restored')
  await client.end()
  const { options, other } = await embedded()
  return {
    options: [...options, '--database-url', url],
    other: [...other, '--database-url', url.replace(/postgres$/, 'restored')],
  }
}

const databases = [
  { name: 'an embedded database', missing: undefined, places: embedded, tag: '' },
  {
    name: 'a PostgreSQL database',
    missing: postgresToolsMissing(),
    places: postgres,
    tag: ' @long',
  },
]

for (const { name, missing, places, tag } of databases) {
  test.skipIf(missing)(`${name} is backed up under load and restored${tag}`, async () => {
    const { options, other } = await places()
    const [finished, partial] = [randomBytes(CHUNK), randomBytes(CHUNK)]
    const { server, caller } = await startAndSignIn(options)
    await caller.post('/v1/projects', { name: 'web', description: '' })
    await caller.import('finished', finished)
    await caller.finish('finished')
    await caller.import('partial', partial)

    const file = join(temporaryDirectory(), 'steading.backup')
    const load = makeProjects(caller)
    await vi.waitFor(() => expect(load.made.length).toBeGreaterThan(3), 30_000)
    const before = [...load.made]
    const backedUp = await runToEnd(['backup', file, ...options])
    expect(backedUp).toMatchObject({ code: 0, stderr: '' })
    expect(backedUp.stdout).toMatch(
      /^Backed up the state of \S+Z to .*; writes waited for \d+ ms\n$/,
    )
    await load.stop()
    // Later changes are not in the backup, although they are written to the same files.
    await caller.post('/v1/disks/partial/bulk-write?project=web', {
      offset: 0,
      base64_encoded_data: randomBytes(CHUNK).toString('base64'),
    })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await server.end('SIGTERM')).stderr).toBe('')

    expect(await runToEnd(['verify', file])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/ is complete: the state of \S+Z, \d+ files\n$/),
    })
    expect(await runToEnd(['restore', file, ...other])).toMatchObject({ code: 0, stderr: '' })
    const again = await startAndSignIn(other)
    const projects = (await again.caller.projects()).filter((name) => name.startsWith('p-'))
    expect(projects).toEqual(expect.arrayContaining(before))
    // A consistent snapshot: nothing is missing before the newest project.
    const known = load.made.filter((name) => projects.includes(name))
    expect(known).toEqual(load.made.slice(0, known.length))
    expect(projects.length - known.length).toBeLessThanOrEqual(1)
    expect(await again.caller.endOf('finished')).toEqual(finished)
    // The import continues.
    const { written } = await again.caller.read<{ written: { offset: number; length: number }[] }>(
      '/x/v1/disks/partial/import?project=web',
    )
    expect(written).toEqual([{ offset: GiB - CHUNK, length: CHUNK }])
    await again.caller.finish('partial')
    expect(await again.caller.endOf('partial')).toEqual(partial)
    expect((await again.server.end('SIGTERM')).stderr).toBe('')
  })
}

const stderrOf = async (...args: string[]) => {
  const { code, stderr, stdout } = await runToEnd(args)
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  return stderr
}

describe('refused is', () => {
  async function backup(): Promise<string> {
    const data = temporaryDirectory()
    const { server } = await startAndSignIn(['--data', data])
    const file = join(temporaryDirectory(), 'steading.backup')
    await runToEnd(['backup', file, '--data', data])
    await server.end('SIGKILL')
    return file
  }
  test('an invalid backup command', async () => {
    const data = temporaryDirectory()
    const file = join(data, 'there')
    writeFileSync(file, 'kept')
    expect(await stderrOf('backup')).toBe('steading: backup needs a file: backup steading.backup\n')
    expect(await stderrOf('backup', file, '--data', data)).toBe(
      `steading: there is a file ${file} already\n`,
    )
    expect(readFileSync(file, 'utf8')).toBe('kept')
    expect(await stderrOf('backup', join(data, 'new'), '--data', data)).toContain(
      'there is no database at',
    )
    expect(await stderrOf('backup', join(data, 'new'), '--data', join(data, 'none'))).toContain(
      'there is no directory',
    )
  })

  test('a backup during another one, without harm to either @long', async () => {
    const data = temporaryDirectory()
    const { server } = await startAndSignIn(['--data', data])
    const files = ['a', 'b', 'c'].map((name) => join(temporaryDirectory(), name))
    const results = await Promise.all(
      files.map((file) => runToEnd(['backup', file, '--data', data])),
    )
    for (const [index, { code, stderr }] of results.entries()) {
      if (code === 0) {
        const restored = join(temporaryDirectory(), 'restored')
        const { stderr: problem } = await runToEnd(['restore', files[index]!, '--data', restored])
        expect(problem).toBe('')
      } else {
        expect(stderr).toContain('another backup is being made')
      }
    }
    expect(results.map(({ code }) => code)).toContain(0)
    await server.end('SIGKILL')
  })

  test('an invalid restore, which leaves nothing behind @long', async () => {
    const file = await backup()
    const data = join(temporaryDirectory(), 'restored')
    const restore = (source: string, ...options: string[]) =>
      stderrOf('restore', source, '--data', data, ...options)

    expect(await restore(join(file, '..', 'none'))).toContain('ENOENT')
    const text = join(temporaryDirectory(), 'text')
    writeFileSync(text, 'not an archive')
    expect(await restore(text)).toContain(': it is not a backup')
    expect(await restore(file, '--database-url', 'postgres://nobody@127.0.0.1:1/none')).toContain(
      'the backup is of an embedded database; omit --database-url',
    )
    const { size } = statSync(file)
    for (const kept of [Math.floor(size / 2), 10]) {
      const cut = join(temporaryDirectory(), 'cut')
      writeFileSync(cut, readFileSync(file))
      truncateSync(cut, kept)
      expect(await restore(cut)).toMatch(/missing|not a backup/)
    }
    expect(() => statSync(data)).toThrow('ENOENT')

    mkdirSync(data)
    writeFileSync(join(data, 'mine'), '')
    expect(await restore(file)).toContain('is not empty; restore into a new one')
  })
})
