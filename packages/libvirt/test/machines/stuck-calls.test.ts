/** Calls to libvirt that do not end, by a daemon of the test that is stopped. */
import { randomBytes, scrypt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { until } from '../../../control-plane/test/support/things.ts'
import { AbandonedCall, LateCall } from '../../src/native/errors.ts'
import type { CallLimits } from '../../src/native/lanes.ts'
import { type Libvirt, openLibvirt } from '../../src/native/libvirt.ts'
import { type OwnDaemon, startOwnDaemon } from '../support/own-daemon.ts'

let daemon: OwnDaemon
let libvirt: Libvirt

beforeEach(async () => {
  daemon = await startOwnDaemon()
})
afterEach(async () => {
  daemon.signal('SIGCONT')
  await libvirt?.close()
  await daemon.end()
})

const open = async (limits: Partial<CallLimits> = {}): Promise<string> => {
  libvirt = await openLibvirt(daemon.uri('test', 'default'), limits)
  const [id] = (await libvirt.statuses()).keys()
  return id!
}
/** Processes that call libvirt for this one. */
const callers = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(`socket=${daemon.folder}/`)
    } catch {
      return false
    }
  })

test('calls that do not end hold up neither hashes of passwords, nor files, nor an end', async () => {
  const id = await open()
  daemon.signal('SIGSTOP')
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
  daemon.signal('SIGSTOP')
  await expect(libvirt.status(id)).rejects.toThrow(LateCall)
  daemon.signal('SIGCONT')
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
  daemon.signal('SIGSTOP')
  const asked = libvirt.shutdown(id).catch((error: Error) => error)
  const ends = libvirt.destroy(id)
  libvirt.abandon(id)
  expect(await asked).toBeInstanceOf(AbandonedCall)
  daemon.signal('SIGCONT')
  await ends
  expect(await libvirt.status(id)).toMatchObject({ state: 'shutoff' })
})
