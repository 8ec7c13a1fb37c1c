/** The engine at its ports: it passes the conformance tests with real guests. */
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  consolesConform,
  type EnginesUnderTest,
  machinesConform,
  volumesConform,
} from '../../../control-plane/test/conformance/engines.ts'
import { openTestHost, type TestHost, type TestServer } from '../support/engine.ts'
import { sled } from '../support/open-engines.ts'
import { keys, killQemu, READY, writeGuestDisk } from '../support/guest.ts'

let host: TestHost
let server: TestServer
let engines: EnginesUnderTest

beforeAll(async () => {
  host = await openTestHost()
  server = await host.start()
  const { machines } = server.engines
  engines = {
    ...server.engines,
    machines: {
      ...machines,
      // The disks of the specification are in no file.
      async run(id, spec, fence) {
        const volumes = await Promise.all(
          spec.volumes.map(async (volume) => {
            const path = join(host.data, `${id}-${volume.slot}`)
            await writeGuestDisk(path)
            return { ...volume, source: { path, format: 'raw' as const } }
          }),
        )
        await machines.run(id, { ...spec, volumes }, fence)
      },
    },
    sled,
    otherSled: undefined,
    failMoves: async () => async () => {},
    fail: async (id) => killQemu(id),
    booted: `${READY}\r\n`,
    ...keys,
  }
})
afterAll(async () => {
  await server?.close()
  await host?.remove()
})
const make = () => engines

describe('the machines of libvirt', () => {
  machinesConform(make)
})
describe('the consoles of libvirt', () => {
  consolesConform(make)
})
describe('the volumes of libvirt', () => {
  volumesConform(make)
})
test('no error was logged', () => {
  expect(server.log.mock.calls).toEqual([])
})
