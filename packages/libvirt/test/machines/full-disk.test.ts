/** A guest waits while its host has no room, and continues when there is some. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { until } from '../../../control-plane/test/support/things.ts'
import { createPauses } from '../../src/pauses.ts'
import { openTestHost, runGuest, type TestHost } from '../support/engine.ts'
import { fill } from '../support/fill.ts'
import { guestDisk, keys, READY } from '../support/guest.ts'

const MiB = 1024 * 1024
const mountable = process.getuid?.() === 0
if (!mountable) console.warn('The test of a full disk under a running guest needs root.')

let host: TestHost
let directory: string
beforeAll(async () => {
  if (!mountable) return
  host = await openTestHost({ resumeFree: MiB })
  directory = join(host.data, 'libvirt', 'volumes')
  mkdirSync(directory, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=8m,mode=711', 'tmpfs', directory])
})
afterAll(async () => {
  if (!mountable) return
  execFileSync('umount', ['-l', directory])
  await host.remove()
})

test.skipIf(!mountable)('a guest on a full disk is paused, and continues', async () => {
  const server = await host.start()
  onTestFinished(() => server.close())
  const { machines, volumes, consoles } = server.engines
  const { id, volumeId } = await runGuest(server, 4 * MiB)
  const output = async () => new TextDecoder().decode((await consoles.read(id, 0)).data)
  await until(output, (seen) => expect(seen).toContain(READY))
  fill(directory)
  const viewer = { write() {}, resumeAt() {}, pending: () => 0, close() {} }
  const line = consoles.open(id, { mostRecent: 0 }, viewer)
  line.type(new TextEncoder().encode(keys.write))

  await until(
    () => machines.observe(id),
    (seen) => expect(seen).toMatchObject({ phase: 'running', pause: 'no_space' }),
  )
  expect(server.log.mock.calls.flat().join()).toContain('is paused: its host has no room')
  expect(await output()).not.toContain('Written.')
  rmSync(join(directory, 'ballast'))
  await until(
    () => machines.observe(id),
    (seen) => expect(seen).not.toHaveProperty('pause'),
  )
  await until(output, (seen) => expect(seen).toContain('Written.'))
  line.leave()
  await machines.halt(id, 2)
  await volumes.detach(volumeId, id, 2)
  const written = await volumes.read(volumeId, MiB, 512)
  expect(Buffer.from(written.subarray(0, 256))).toEqual(Buffer.from(guestDisk().subarray(0, 256)))
  await machines.destroy(id, 2)
})

test('resumes only guests paused by ENOSPC, and not over and over', async () => {
  const resumed: string[] = []
  const libvirt = { resume: async (id: string) => void resumed.push(id) }
  const row = (id: string, pause: 'no_space' | 'io_error' | null) =>
    ({ id, pause }) as Parameters<ReturnType<typeof createPauses>['resume']>[1]
  const pauses = createPauses(async () => 1, 0)
  await pauses.resume(libvirt, row('failing', 'io_error'))
  await pauses.resume(libvirt, row('running', null))
  await pauses.resume(libvirt, row('waiting', 'no_space'))
  await pauses.resume(libvirt, row('waiting', 'no_space'))
  expect(resumed).toEqual(['waiting'])
  pauses.forget('waiting')
  await createPauses(async () => 1, 1).resume(libvirt, row('waiting', 'no_space'))
  expect(resumed).toEqual(['waiting'])
  const status = { state: 'paused', reason: 'unknown', diskError: true } as const
  const reasonOf = (lacks: boolean, diskError = true) =>
    pauses.reasonOf({ lacksSpace: async () => lacks }, 'id', { ...status, diskError })
  expect(await reasonOf(true)).toBe('no_space')
  expect(await reasonOf(false)).toBe('io_error')
  expect(await reasonOf(true, false)).toBeNull()
})
