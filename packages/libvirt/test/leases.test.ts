/** The files of leases, which the tool of sanlock makes and reads. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { leaseFaults } from '@steading/api/rules'
import { hasCommand, runCommand } from '@steading/commands'
import { FencingFault } from '@steading/control-plane/ports'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLeaseFiles, isEnded, isTaken } from '../src/leases/lease-files.ts'
import { leaderIn } from '../src/leases/sanlock.ts'

const isInstalled = await hasCommand('sanlock')
if (!isInstalled) console.warn('Most tests of leases are left out: there is no sanlock.')

const record = (fields: object): string =>
  Object.entries({
    owner_id: 3,
    owner_generation: 7,
    lver: 12,
    space_name: 'steading',
    resource_name: 'web',
    timestamp: 614,
    io_timeout: 0,
    ...fields,
  })
    .map(([name, value]) => `${name} ${value}\n`)
    .join('')

test('a record says who has a lease, and sanlock’s own timeout if it has none', () => {
  expect(leaderIn(`read_leader done 0\n${record({})}`, 'web')).toEqual({
    owner: 3,
    generation: 7,
    version: 12,
    timestamp: 614,
    ioTimeout: 10,
  })
  expect(isTaken(leaderIn(record({}), 'web'), 11)).toBe(true)
  expect(isTaken(leaderIn(record({}), 'web'), 12)).toBe(false)
  expect(isTaken(leaderIn(record({ timestamp: 0 }), 'web'), 11)).toBe(false)
})

test.each([
  ['another lease', { resource_name: 'other' }],
  ['another lockspace', { space_name: 'other' }],
  ['no number', { owner_id: 'nobody' }],
  ['a number that nobody wrote', { timestamp: '8981939052184640256' }],
])('a record of %s is refused', (_, fields) => {
  expect(() => leaderIn(record(fields), 'web')).toThrow(FencingFault)
})

describe.skipIf(!isInstalled)('with sanlock', () => {
  const open = async (lockspace = true) => {
    const temporary = mkdtempSync(join(tmpdir(), 'leases-'))
    onTestFinished(() => rmSync(temporary, { recursive: true }))
    const directory = join(temporary, 'with:colon')
    const folder = join(directory, 'leases')
    mkdirSync(folder, { recursive: true })
    const failures: string[] = []
    if (lockspace) {
      const path = join(folder, 'lockspace')
      writeFileSync(path, '')
      const place = `steading:0:${path.replaceAll(':', String.raw`\:`)}:0`
      await runCommand('sanlock', ['direct', 'init', '-s', place], { ms: 120_000 })
    }
    const leases = createLeaseFiles(directory, (message) => void failures.push(message))
    return { leases, folder, failures }
  }

  test('a lease is made once, whoever asks for it, and is free', async () => {
    const { leases, folder } = await open()
    const [one, other] = await Promise.all([leases.prepare('web'), leases.prepare('web')])
    expect(one).toEqual({ lockspace: 'steading', key: 'web', path: join(folder, 'web') })
    expect(other).toEqual(one)
    const { ino, mode } = statSync(join(folder, 'web'))
    // sanlock of each host is another user.
    expect(mode & 0o777).toBe(0o666)
    await leases.prepare('web')
    expect(statSync(join(folder, 'web')).ino).toBe(ino)
    expect(readdirSync(folder).toSorted()).toEqual(['lockspace', 'web'])
    expect(isEnded((await leases.look('web')).standing)).toBe(true)
    // A server was killed while it made the lease again.
    writeFileSync(join(folder, 'web.left'), '')
    expect(await leases.taken('web', 0)).toBeNull()
    await leases.remove('web')
    expect(readdirSync(folder)).toEqual(['lockspace'])
  })

  test('nothing has a lease without a lockspace', async () => {
    const { leases, folder } = await open(false)
    expect(await leases.areSetUp()).toBe(false)
    expect(await leases.prepare('web')).toBeUndefined()
    expect(readdirSync(folder)).toEqual([])
  })

  test('a file that is no lease proves nothing, and is kept', async () => {
    const { leases, folder, failures } = await open()
    writeFileSync(join(folder, 'web'), new Uint8Array(2 ** 20))
    const fault = await leases.look('web').catch((error: unknown) => error)
    expect(fault).toBeInstanceOf(FencingFault)
    expect((fault as FencingFault).remedy).toBe(leaseFaults.unreadable('').remedy)
    expect(await leases.taken('web', 0)).toBeNull()
    expect(failures).toEqual(['reading the lease web failed'])
    await expect(leases.remove('web')).rejects.toBeInstanceOf(FencingFault)
    expect(readdirSync(folder)).toContain('web')
  })
})
