/** The engine at its ports: it passes the conformance tests with real guests. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  consolesConform,
  type EnginesUnderTest,
  machinesConform,
  volumesConform,
} from '../../../control-plane/test/conformance/engines.ts'
import { openTestHost, type TestHost, type TestServer } from '../support/engine.ts'
import { sled } from '../support/open-engines.ts'
import { keys, killQemu, READY, withGuestDisks } from '../support/guest.ts'

let host: TestHost
let server: TestServer
let engines: EnginesUnderTest

beforeAll(async () => {
  host = await openTestHost()
  server = await host.start()
  const { machines } = server.engines
  engines = {
    ...server.engines,
    machines: withGuestDisks(machines, host.data),
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
