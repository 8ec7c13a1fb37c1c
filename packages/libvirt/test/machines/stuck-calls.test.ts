/** Calls to libvirt that do not end, by a daemon of the test that is stopped. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes, scrypt } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AbandonedCall, LateCall } from '../../src/native/errors.ts'
import type { CallLimits } from '../../src/native/lanes.ts'
import { type Libvirt, openLibvirt } from '../../src/native/libvirt.ts'
import { until } from '../../../control-plane/test/support/things.ts'

/** The user nobody: a daemon of root shares files with that of the system. */
const NOBODY = 65_534

let folder: string
let daemon: ChildProcess
let libvirt: Libvirt

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'steading-stuck-'))
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {}
  if ('uid' in user) chownSync(folder, NOBODY, NOBODY)
  chmodSync(folder, 0o755)
  daemon = spawn('/usr/sbin/libvirtd', [], {
    ...user,
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: folder,
      XDG_RUNTIME_DIR: folder,
      XDG_CONFIG_HOME: folder,
      XDG_CACHE_HOME: folder,
    },
  })
  await until(
    async () => {
      const socket = connect(join(folder, 'libvirt/libvirt-sock'))
      await once(socket, 'connect')
      socket.destroy()
    },
    () => {},
  )
})
afterEach(async () => {
  daemon.kill('SIGCONT')
  await libvirt?.close()
  const ended = once(daemon, 'exit')
  daemon.kill('SIGKILL')
  await ended
  rmSync(folder, { recursive: true })
})

const open = async (limits: Partial<CallLimits> = {}): Promise<string> => {
  const socket = join(folder, 'libvirt/libvirt-sock')
  libvirt = await openLibvirt(`test+unix:///default?socket=${socket}`, limits)
  const [id] = (await libvirt.statuses()).keys()
  return id!
}
/** Processes that call libvirt for this one. */
const callers = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(`socket=${folder}/`)
    } catch {
      return false
    }
  })

test('calls that do not end hold up neither hashes of passwords, nor files, nor an end', async () => {
  const id = await open()
  daemon.kill('SIGSTOP')
  const stuck = [
    ...Array.from({ length: 20 }, () => libvirt.status(id)),
    ...Array.from({ length: 20 }, (_, index) => libvirt.monitor(`${id}${index}`, 'info', true)),
    libvirt.freeze(id, 1),
    libvirt.screenshot(id),
    libvirt.destroy(id),
  ].map((call) => call.catch((error: Error) => error))
  const hashes = Array.from({ length: 8 }, () => promisify(scrypt)('password', randomBytes(16), 32))
  await Promise.all([...hashes, readFile(import.meta.filename)])
  await libvirt.close()
  for (const error of await Promise.all(stuck)) expect(error).toBeInstanceOf(AbandonedCall)
  expect(callers()).toEqual([])
})

test('a call that does not end in its time fails, and a new process makes the next one', async () => {
  const id = await open({ quick: 300 })
  const before = callers()
  daemon.kill('SIGSTOP')
  await expect(libvirt.status(id)).rejects.toThrow(LateCall)
  daemon.kill('SIGCONT')
  await until(
    () => libvirt.status(id),
    (status) => expect(status?.state).toBe('running'),
  )
  await until(
    async () => callers(),
    (present) => {
      expect(present).toHaveLength(1)
      expect(present).not.toEqual(before)
    },
  )
})

test('calls about a machine that is to end are abandoned, and its end is not', async () => {
  const id = await open()
  daemon.kill('SIGSTOP')
  const asked = libvirt.shutdown(id).catch((error: Error) => error)
  const ends = libvirt.destroy(id)
  libvirt.abandon(id)
  expect(await asked).toBeInstanceOf(AbandonedCall)
  daemon.kill('SIGCONT')
  await ends
  expect(await libvirt.status(id)).toMatchObject({ state: 'shutoff' })
})
