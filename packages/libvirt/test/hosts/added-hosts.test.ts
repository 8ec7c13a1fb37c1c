/** Machines on hosts that operators have added, and their moves between them. */
import { clockFinding } from '@steading/api/rules'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import {
  consolesConform,
  hostsConform,
  type EnginesUnderTest,
  machinesConform,
} from '../../../control-plane/test/conformance/engines.ts'
import { domainName } from '../../src/domain-names.ts'
import { openLibvirt } from '../../src/native/libvirt.ts'
import { type AddedHosts, openAddedHosts } from '../support/added-hosts.ts'
import { keys, killQemu, READY, withGuestDisks } from '../support/guest.ts'
import { hostClocksMissing, hostsMissing } from '../support/hosts-in-namespaces.ts'

const missing = hostsMissing()
if (missing !== undefined) console.warn(`The tests with several hosts are left out: ${missing}.`)

describe.skipIf(missing !== undefined)('hosts that were added', () => {
  let all: AddedHosts
  let engines: EnginesUnderTest
  /** The checks of each host, with their outcomes. */
  const examined: [string, string][][] = []

  beforeAll(async () => {
    all = await openAddedHosts(3, {
      networkHosts: { tunnelOf: async () => '192.0.2.7', bind: async () => {} },
    })
    const added = [await all.add(all.hosts[0]!), await all.add(all.hosts[1]!)]
    examined.push(
      ...added.map(({ findings }) =>
        findings.map(({ check, outcome }) => [check, outcome] as [string, string]),
      ),
    )
    engines = {
      ...all.engines,
      // Interfaces need the networks of VPCs, which these hosts lack.
      machines: withGuestDisks(all.engines.machines, all.directory, (spec) => ({
        ...spec,
        interfaces: [],
      })),
      sled: added[0]!.sled!,
      otherSled: added[1]!.sled!,
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
  afterAll(() => all?.end())
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
      const { hardware, enrolment } = all.engines
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
  test.skipIf(hostClocksMissing() !== undefined)(
    'a clock that is minutes ahead or behind is found, and so is its end',
    async () => {
      const host = all.hosts[2]!
      const enrolment = all.engines.enrolment!
      const { host: its } = await enrolment.examine(host.address)
      await enrolment.enroll(its!, host.address)
      onTestFinished(() => enrolment.forget(its!))
      const clockOf = async (minutes: number) => {
        await host.setClock(minutes)
        const { findings } = await enrolment.examine(host.address)
        const found = findings.find(({ check }) => check === 'clock')
        // It is looked at between the checks as well.
        const ahead = await enrolment.clockAhead(its!.serial)
        expect(clockFinding(ahead!).outcome).toBe(found!.outcome)
        return found
      }
      const apart = (detail: RegExp) => ({
        outcome: 'failed',
        detail: expect.stringMatching(detail),
        remedy: expect.stringContaining('NTP'),
      })
      expect(await clockOf(5)).toMatchObject(apart(/ \d+ s ahead$/))
      expect(await clockOf(-5)).toMatchObject(apart(/ \d+ s behind$/))
      expect(await clockOf(0)).toMatchObject({ outcome: 'passed' })
      // A libvirt that hangs says nothing about it.
      host.signal('libvirtd', 'SIGSTOP')
      expect(await enrolment.clockAhead(its!.serial)).toBeUndefined()
      host.signal('libvirtd', 'SIGCONT')
    },
  )
  test('only the move that was to fail was logged', () => {
    const messages = all.log.mock.calls.map(([message]) => message)
    expect(messages).toEqual([expect.stringMatching(/^moving the machine .* failed$/)])
  })
})
