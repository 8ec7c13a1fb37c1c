/** Moves that libvirt neither ends nor stops. */
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createMoveWatch } from '../../src/moves/watch.ts'
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

/** A host that is cut off while SSH signs in there. */
async function silentHost() {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    uri: `qemu+ssh://127.0.0.1:${port}/system`,
    reached: once(server, 'connection') as Promise<[Socket]>,
  }
}

const SOON = { stalled: 1, stopping: 1 }

for (const [why, limits, cancelled] of [
  ['was cancelled', { ...SOON, stalled: Infinity }, true],
  ['copies nothing', SOON, false],
] as const) {
  test.skipIf(!existsSync('/usr/bin/ssh'))(
    `a move that ${why} ends, also if libvirt cannot stop it`,
    async () => {
      const host = await silentHost()
      const watch = createMoveWatch(limits)
      let isCancelled = false
      const moved = watch.during(
        libvirt,
        id,
        async () => isCancelled,
        () => libvirt.move(id, host.uri, false),
      )
      const failure = moved.catch((error: Error) => error)
      const [connection] = await host.reached
      const closed = once(connection.resume(), 'close')
      isCancelled = cancelled
      expect(await failure).toBeInstanceOf(LateCall)
      // Nothing is left of it, and libvirt answers.
      await closed
      expect(libvirt.isRunning('move', id)).toBe(false)
      expect(await libvirt.status(id)).toMatchObject({ state: 'running' })
    },
  )
}

test.skipIf(!existsSync('/usr/bin/ssh'))(
  'an abandoned move does not keep its place among the calls',
  async () => {
    const host = await silentHost()
    const moved = createMoveWatch().during(
      libvirt,
      id,
      async () => false,
      () => libvirt.move(id, host.uri, false),
    )
    const failure = moved.catch((error: Error) => error)
    const [connection] = await host.reached
    const closed = once(connection.resume(), 'close')
    libvirt.abandon(id)
    expect(await failure).toBeInstanceOf(AbandonedCall)
    await closed
    expect(libvirt.isRunning('move', id)).toBe(false)
  },
)
