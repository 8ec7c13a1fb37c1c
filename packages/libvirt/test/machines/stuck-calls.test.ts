/** Calls to libvirt that do not end, by a daemon of the test that is stopped. */
import { randomBytes, scrypt } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Wire } from '@steading/api'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { startSmallServer } from '../../../control-plane/test/support/small-server.ts'
import { smallInstance, until } from '../../../control-plane/test/support/things.ts'
import { libvirtEngine } from '../../src/engine.ts'
import { AbandonedCall, LateCall } from '../../src/native/errors.ts'
import { type CallLimits, callLimits } from '../../src/native/lanes.ts'
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

const open = async (limits: CallLimits = callLimits): Promise<string> => {
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

test.skipIf(!existsSync('/usr/bin/ssh'))(
  'the connection to a host that says nothing ends with the call that waits for it',
  async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void silent.close())
    await once(silent, 'listening')
    const { port } = silent.address() as AddressInfo
    const connected = once(silent, 'connection')
    // A host of SSH, as an operator adds it.
    libvirt = await openLibvirt(`qemu+ssh://127.0.0.1:${port}/system`)
    const asked = libvirt.nodeInfo().catch((error: Error) => error)
    const [connection] = (await connected) as [Socket]
    const closed = once(connection.resume(), 'close')
    await libvirt.close()
    expect(await asked).toBeInstanceOf(AbandonedCall)
    await closed
  },
)

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
  const limits = { ...callLimits }
  const id = await open(limits)
  const before = callers()
  daemon.signal('SIGSTOP')
  limits.quick = 300
  await expect(libvirt.status(id)).rejects.toThrow(LateCall)
  limits.quick = callLimits.quick
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

test('a daemon that does not answer is an issue of its host and of the machine that needs it @long', async () => {
  const data = mkdtempSync(join(tmpdir(), 'steading-machines-'))
  daemon.signal('SIGSTOP')
  const engine = libvirtEngine({
    directory: join(data, 'libvirt'),
    uri: daemon.uri('qemu', 'session'),
    callLimits: { quick: 100, slow: 100, start: 100 },
    answerMs: 1,
    reportMs: 100,
  })
  const { controlPlane, call, stop } = await startSmallServer(join(data, 'steading.db'), engine)
  onTestFinished(async () => {
    await stop()
    rmSync(data, { recursive: true, force: true })
  })
  const issues = async () => (await call<Wire.Issues>('GET', '/x/v1/issues')).items
  const { items: sleds } = await call<Wire.SledResultsPage>('GET', '/v1/system/hardware/sleds')
  await until(issues, (found) =>
    expect(found).toContainEqual(expect.objectContaining({ id: `host_silent:${sleds[0]!.id}` })),
  )

  await call('POST', '/v1/projects', { name: 'work', description: '' })
  const { id } = await call<Wire.Instance>('POST', '/v1/instances?project=work', {
    ...smallInstance('stuck', { start: true }),
    network_interfaces: { type: 'none' },
  })
  // Without the waits between ten failures.
  const { db } = controlPlane.database
  const rows = db.updateTable('instance').set({ step_failures: 9 })
  const found = await until(
    async () => {
      await rows.where('id', '=', id).where('step_failures', '<', 9).execute()
      return issues()
    },
    (seen) => expect(seen.map((each) => each.id)).toContain(`steps_failing:${id}`),
  )
  const { sentence } = found.find((each) => each.id === `steps_failing:${id}`)!
  expect(sentence).toContain('libvirt has not ended the call')
})
