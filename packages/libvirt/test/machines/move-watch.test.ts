/** Moves that libvirt neither ends nor stops. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createMoveWatch, type MoveWatch } from '../../src/moves/watch.ts'
import { AbandonedCall, LateCall } from '../../src/native/errors.ts'
import { type Libvirt, openLibvirt } from '../../src/native/libvirt.ts'
import { type OwnDaemon, startOwnDaemon } from '../support/own-daemon.ts'

let daemon: OwnDaemon
let libvirt: Libvirt
let id: string
beforeEach(async () => {
  daemon = await startOwnDaemon()
  libvirt = await openLibvirt(daemon.uri('test', 'default'))
  id = (await libvirt.statuses()).keys().next().value!
})
afterEach(async () => {
  await libvirt.close()
  await daemon.end()
})

/** Begins a move to a host that is cut off while SSH signs in there. */
async function beginMove(watch: MoveWatch, isCancelled: () => boolean = () => false) {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const reached = once(server, 'connection')
  const { port } = server.address() as AddressInfo
  const uri = `qemu+ssh://127.0.0.1:${port}/system`
  const move = () => libvirt.move(id, uri, false)
  const moved = watch.during(libvirt, id, async () => isCancelled(), move)
  const failure = moved.catch((error: Error) => error)
  const [connection] = (await reached) as [Socket]
  return { failure, closed: once(connection.resume(), 'close') }
}

const missing = !existsSync('/usr/bin/ssh')
const SOON = { stalled: 1, stopping: 1 }

for (const [why, limits, cancelled] of [
  ['was cancelled', { ...SOON, stalled: Infinity }, true],
  ['copies nothing', SOON, false],
] as const) {
  test.skipIf(missing)(`a move that ${why} ends, also if libvirt cannot stop it`, async () => {
    let isCancelled = false
    const { failure, closed } = await beginMove(createMoveWatch(limits), () => isCancelled)
    isCancelled = cancelled
    expect(await failure).toBeInstanceOf(LateCall)
    // Nothing is left of it, and libvirt answers.
    await closed
    expect(libvirt.isRunning('move', id)).toBe(false)
    expect(await libvirt.status(id)).toMatchObject({ state: 'running' })
  })
}

test.skipIf(missing)('an abandoned move does not keep its place among the calls', async () => {
  const { failure, closed } = await beginMove(createMoveWatch())
  libvirt.abandon(id)
  expect(await failure).toBeInstanceOf(AbandonedCall)
  await closed
  expect(libvirt.isRunning('move', id)).toBe(false)
})
