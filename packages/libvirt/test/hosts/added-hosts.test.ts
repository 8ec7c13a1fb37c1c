/** Machines on hosts that operators have added, and their moves between them. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  consolesConform,
  hostsConform,
  type EnginesUnderTest,
  machinesConform,
} from '../../../control-plane/test/conformance/engines.ts'
import { domainName } from '../../src/domain-names.ts'
import { openLibvirt } from '../../src/native/libvirt.ts'
import type { MachineSpec } from '@steading/control-plane/ports'
import { openTestHost, type TestHost, type TestServer } from '../support/engine.ts'
import { keys, killQemu, READY, withGuestDisks } from '../support/guest.ts'
import { hostsMissing, type NamespaceHosts, startHosts } from '../support/hosts-in-namespaces.ts'

const missing = hostsMissing()
if (missing !== undefined) console.warn(`The tests with several hosts are left out: ${missing}.`)

describe.skipIf(missing !== undefined)('hosts that were added', () => {
  let all: NamespaceHosts
  let host: TestHost
  let server: TestServer
  let engines: EnginesUnderTest
  /** The checks of each host, with their outcomes. */
  const examined: [string, string][][] = []

  beforeAll(async () => {
    all = await startHosts(3)
    process.env.PATH = `${all.path}:${process.env.PATH}`
    const directory = join(all.shared, 'steading')
    mkdirSync(join(directory, 'volumes'), { recursive: true })
    host = await openTestHost({
      addedHosts: true,
      directory,
      volumes: join(directory, 'volumes'),
      networkHosts: { tunnelOf: async () => '192.0.2.7', bind: async () => {} },
    })
    server = await host.start()
    const { machines, enrolment } = server.engines
    const sleds: MachineSpec['sled'][] = []
    for (const { address } of all.hosts.slice(0, 2)) {
      const { findings, host: found } = await enrolment!.examine(address)
      examined.push(findings.map(({ check, outcome }) => [check, outcome]))
      await enrolment!.enroll(found!, address)
      sleds.push({ id: crypto.randomUUID(), serial: found!.serial })
    }
    engines = {
      ...server.engines,
      // Interfaces need the networks of VPCs, which these hosts lack.
      machines: withGuestDisks(machines, directory, (spec) => ({ ...spec, interfaces: [] })),
      sled: sleds[0]!,
      otherSled: sleds[1]!,
      // A domain of the same name.
      async failMoves(id) {
        const other = await openLibvirt(all.hosts[1]!.socketUri)
        const uuid = crypto.randomUUID()
        const name = domainName(id)
        await other.define(
          uuid,
          `<domain type="qemu"><name>${name}</name><uuid>${uuid}</uuid><memory>1024</memory><os><type arch="x86_64">hvm</type></os></domain>`,
        )
        return async () => {
          await other.undefine(uuid)
          await other.close()
        }
      },
      fail: async (id) => killQemu(id),
      booted: `${READY}\r\n`,
      ...keys,
    }
  })
  afterAll(async () => {
    await server?.close()
    await host?.remove()
    await all?.end()
  })
  const make = () => engines

  test('each passes its checks', () => {
    const passed = [
      ['connection', 'passed'],
      ['identity', 'passed'],
      ['software', 'passed'],
      ['clock', 'passed'],
      ['storage', 'passed'],
      ['accelerator', expect.stringMatching(/passed|warning/)],
      ['networks', 'passed'],
      // They are not encrypted.
      ['moves', 'warning'],
      ['leases', 'passed'],
    ]
    expect(examined).toEqual([passed, passed])
  })
  describe('their enrolment', () => {
    hostsConform(() => {
      const { hardware, enrolment } = server.engines
      const { address, ip } = all.hosts[2]!
      return {
        hardware,
        enrolment: enrolment!,
        address,
        otherAddress: `qemu+ssh://root@${ip}:22/system`,
        // Nobody is there.
        failing: { address: address.replace(ip, ip.replace(/\d+$/, '200')), check: 'connection' },
      }
    })
  })
  describe('their machines', () => {
    machinesConform(make)
  })
  describe('their consoles', () => {
    consolesConform(make)
  })
  test('only the move that was to fail was logged', () => {
    const messages = server.log.mock.calls.map(([message]) => message)
    expect(messages).toEqual([expect.stringMatching(/^moving the machine .* failed$/)])
  })
})
