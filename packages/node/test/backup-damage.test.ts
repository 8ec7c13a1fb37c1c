/** Backups that are damaged, truncated, forged or of an earlier version. */
import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { writeArchive } from '../src/backup/archive.ts'
import { runRestore, runVerify } from '../src/backup/restore.ts'
import { defaultConfig } from '../src/config.ts'
import { StartError } from '../src/errors.ts'

const time = '2026-01-02T03:04:05.000Z'
let directory: string
let whole: Buffer

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'steading-backup-'))
  const content = join(directory, 'content')
  mkdirSync(join(content, 'volumes/one'), { recursive: true })
  const database = new DatabaseSync(join(content, 'steading.db'))
  database.exec('create table t (a); insert into t values (1)')
  database.close()
  writeFileSync(join(content, 'volumes/one/000000'), randomBytes(3_000))
  writeFileSync(join(content, 'volumes/one/written'), '')
  await writeArchive(join(directory, 'whole'), [{ directory: content }], {
    database: 'sqlite',
    time,
  })
  whole = readFileSync(join(directory, 'whole'))
})
afterAll(() => rmSync(directory, { recursive: true }))

let count = 0
const put = (bytes: Uint8Array): string => {
  const file = join(directory, `backup-${count++}`)
  writeFileSync(file, bytes)
  return file
}

/**
 * Restores and verifies some bytes.
 * @returns the output, or the refusal
 */
async function tried(bytes: Uint8Array): Promise<{ restored: string; verified: string }> {
  const file = put(bytes)
  const data = join(directory, 'restored', 'data')
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  const lineOf = async (run: () => Promise<void>) => {
    printed.mockClear()
    try {
      await run()
      return String(printed.mock.calls[0]![0])
    } catch (error) {
      if (!(error instanceof StartError)) throw error
      expect(error.message).not.toContain('\n')
      return `refused: ${error.message}`
    }
  }
  try {
    mkdirSync(join(directory, 'restored'))
    const verified = await lineOf(() => runVerify(file))
    const restored = await lineOf(() => runRestore({ ...defaultConfig(), data }, file))
    // A refused backup leaves nothing at the target, nor beside it.
    expect(readdirSync(join(directory, 'restored'))).toEqual(
      restored.startsWith('refused') ? [] : ['data'],
    )
    return { restored, verified }
  } finally {
    rmSync(join(directory, 'restored'), { recursive: true })
    printed.mockRestore()
  }
}

type Made = [name: string, content: string | Uint8Array | { type: 'symlink' | 'directory' }]

/** A file as another program might create it. */
async function made(entries: Made[]): Promise<Buffer> {
  const archive = pack()
  for (const [name, content] of entries) {
    if (typeof content === 'string' || content instanceof Uint8Array) {
      archive.entry({ name }, Buffer.from(content))
    } else archive.entry({ name, linkname: '/etc/passwd', ...content })
  }
  archive.finalize()
  const pieces: Buffer[] = []
  for await (const piece of archive) pieces.push(piece as Buffer)
  return zstdCompressSync(Buffer.concat(pieces))
}

const described = (format: number): Made => [
  'backup.json',
  JSON.stringify({ format, database: 'sqlite', time }),
]
const database = (): Made => [
  'steading.db',
  readFileSync(join(directory, 'content', 'steading.db')),
]
const end: Made = ['end', '']

test('a complete backup is verified and restored', async () => {
  const { restored, verified } = await tried(whole)
  expect(restored).toMatch(
    /^Restored the state of 2026-01-02T03:04:05.000Z to .*; start the server/,
  )
  expect(verified).toMatch(/is complete: the state of 2026-01-02T03:04:05.000Z, 3 files$/)
})

test('standard tools can read it', () => {
  expect(zstdDecompressSync(whole).subarray(257, 262).toString()).toBe('ustar')
})

test('any flipped bit is refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length * 8 - 1), async (bit) => {
      const damaged = Buffer.from(whole)
      damaged[bit >> 3]! ^= 1 << (bit & 7)
      const { restored, verified } = await tried(damaged)
      expect(restored).toMatch(/^refused: /)
      expect(verified).toMatch(/^refused: /)
    }),
    { numRuns: 60, examples: [[0], [8 * whole.length - 1], [8 * (whole.length - 40)]] },
  )
})

test('any truncation or appended data is refused', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), async (length) => {
      expect((await tried(whole.subarray(0, length))).restored).toMatch(/^refused: /)
    }),
    { numRuns: 40, examples: [[0], [1], [40], [whole.length - 40], [whole.length - 1]] },
  )
  expect((await tried(Buffer.concat([whole, Buffer.from('x')]))).restored).toMatch(/^refused: /)
})

describe('a backup of an earlier version', () => {
  test('is restored, without checksums', async () => {
    const { restored, verified } = await tried(await made([described(1), database(), end]))
    expect(restored).toContain('it was made by an earlier version and has no checksums')
    expect(verified).toContain('1 files; it was made by an earlier version and has no checksums')
  })

  test('is refused if its database is damaged', async () => {
    const [name, content] = database() as [string, Buffer]
    const torn = Buffer.from(content)
    torn.fill(0xff, 4096, 6000)
    const { restored } = await tried(await made([described(1), [name, torn], end]))
    expect(restored).toMatch(/^refused: the database in the backup is damaged/)
  })
})

describe('refused is', () => {
  const token: Made = ['token', 'bytes']
  const sums = (...names: string[]): Made => [
    'checksums.json',
    JSON.stringify(names.map((name) => [name, '0'.repeat(64)])),
  ]
  const pools = (list: string): Made[] => [
    described(1),
    database(),
    ['libvirt', { type: 'directory' }],
    ['libvirt/volumes', { type: 'directory' }],
    ['libvirt/volumes/pools.json', list],
    end,
  ]
  const pool = { id: 'a', name: 'fast', path: null, files: [1] }
  test.each<[string, () => Made[], string]>([
    ['a name outside', () => [described(1), ['../evil', 'x'], end], 'no backup has: "../evil"'],
    ['a name further outside', () => [described(1), ['volumes/../../evil', 'x'], end], 'no backup'],
    ['an absolute name', () => [described(1), ['/tmp/evil', 'x'], end], 'no backup has'],
    [
      'a file without its directory',
      () => [described(1), ['volumes/one/0', 'x'], end],
      'no backup',
    ],
    ['an extra entry', () => [described(1), database(), ['extra', 'x'], end], '"extra"'],
    ['a link', () => [described(1), ['token', { type: 'symlink' }], end], 'it has a symlink'],
    ['an entry twice', () => [described(1), token, database(), token, end], 'an entry twice'],
    ['an entry after the end', () => [described(1), database(), end, token], 'after its end'],
    ['a missing database', () => [described(1), token, end], 'the backup has no database'],
    ['one without its seal', () => [described(2), database(), sums('steading.db')], 'its end'],
    ['another format', () => [described(3), database(), end], 'another version of Steading'],
    ['a missing end', () => [described(1), database()], 'its end is missing'],
    ['no description', () => [database(), end], 'it is not a backup of Steading'],
    ['a torn list of pools', () => pools('{'), 'its list of storage pools'],
    ['no list of pools', () => pools('null'), 'its list of storage pools'],
    ['a list without pools', () => pools('{"first":"default"}'), 'its list of storage pools'],
    [
      'a list of other files',
      () => pools(JSON.stringify({ first: 'default', others: [pool] })),
      'its list of storage pools',
    ],
  ])('%s', async (_, entries, problem) => {
    const { restored } = await tried(await made(entries()))
    expect(restored).toMatch(/^refused: /)
    expect(restored).toContain(problem)
    expect(existsSync(join(directory, 'evil'))).toBe(false)
  })

  test('a sealed one whose entries are in another order, or differ', async () => {
    const sealed = async (entries: Made[]) => {
      const body = await made(entries)
      const header = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 32, 0, 0, 0])
      return Buffer.concat([body, header, createHash('sha256').update(body).digest()])
    }
    const sha256 = (content: string | Uint8Array) =>
      createHash('sha256').update(content).digest('hex')
    const [name, content] = database() as [string, Buffer]
    const list = [
      ['token', sha256('bytes')],
      [name, sha256(content)],
    ]
    const ordered: Made = ['checksums.json', JSON.stringify(list)]
    const right = await sealed([described(2), token, database(), ordered])
    expect((await tried(right)).restored).toMatch(/^Restored/)
    for (const entries of [
      [described(2), database(), token, ordered],
      [described(2), database(), ordered],
      [described(2), ['token', 'other'] as Made, database(), ordered],
      [described(2), token, database(), ['volumes', ''] as Made, ordered],
    ]) {
      const { restored } = await tried(await sealed(entries))
      expect(restored).toContain('its entries have been changed')
    }
  })
})
