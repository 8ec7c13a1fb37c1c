/** Forwarded ports: the choice of them, the ports of the host, and the commands for QEMU. */
import type { MachineIngress, MachineNetwork } from '@steading/control-plane/ports'
import { FORWARDED_PORTS_MAX } from '@steading/api/rules'
import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { forwardsOf } from '../src/networks/forwards.ts'
import { createPorts, NoPortError } from '../src/networks/ports.ts'
import {
  addForward,
  type HostForward,
  parseUsernet,
  removeForward,
} from '../src/networks/usernet.ts'
import { openTestDatabase } from './support/bytes.ts'

const ingress = (changes: Partial<MachineIngress>): MachineIngress => ({
  external: '198.51.100.1',
  address: '172.30.0.5',
  protocol: 'tcp',
  first: 22,
  last: 22,
  sources: null,
  ...changes,
})
const network = (
  ingresses: MachineIngress[],
  changes: Partial<MachineNetwork> = {},
): Pick<MachineNetwork, 'interfaces' | 'ingresses' | 'needs'> => ({
  interfaces: [{ name: 'net0', mac: '', primary: true, addresses: ['172.30.0.5', 'fd00::5'] }],
  ingresses,
  needs: [],
  ...changes,
})
const ssh = { external: '198.51.100.1', protocol: 'tcp', port: 22, guest: '172.30.0.5' }

test('a port that is open to everybody is forwarded', () => {
  expect(forwardsOf(network([ingress({})]), '127.0.0.1')).toEqual({
    forwards: [ssh],
    notEnforced: [],
  })
})

test.each([
  ['127.0.0.1', [{ first: '203.0.113.0', last: '203.0.113.255' }], 0],
  // Everybody but one network: this host is among them.
  ['127.0.0.1', [{ first: '0.0.0.0', last: '198.51.100.255' }], 1],
  // QEMU does not see who of the outside it is.
  ['0.0.0.0', [{ first: '0.0.0.0', last: '198.51.100.255' }], 0],
  ['192.0.2.1', null, 1],
])('at %s, a port for %j is forwarded or not', (listen, sources, count) => {
  expect(forwardsOf(network([ingress({ sources })]), listen).forwards).toHaveLength(count)
})

test('IPv6 gets in by the IPv4 address, if there is one', () => {
  const v6 = ingress({ external: '2001:db8::1', address: 'fd00::5' })
  expect(forwardsOf(network([v6]), '127.0.0.1').forwards).toEqual([
    { ...ssh, external: '2001:db8::1' },
  ])
  const interfaces = [{ name: 'net0', mac: '', primary: true, addresses: ['fd00::5'] }]
  expect(forwardsOf(network([v6], { interfaces }), '127.0.0.1')).toEqual({
    forwards: [],
    notEnforced: ['ipv6'],
  })
})

test('of a range that is too wide, the usual ports are forwarded', () => {
  const { forwards, notEnforced } = forwardsOf(
    network([
      ingress({ first: 1, last: 65_535 }),
      ingress({ first: 9000, last: 9002, protocol: 'udp' }),
    ]),
    '127.0.0.1',
  )
  expect(forwards.map(({ port }) => port)).toEqual([9000, 9001, 9002, 22, 80, 443, 3389, 8080])
  expect(notEnforced).toEqual(['ports'])
})

test('no machine gets more ports than the limit, or others than it has', () => {
  const spans = fc
    .tuple(fc.integer({ min: 1, max: 65_535 }), fc.integer({ min: 0, max: 100 }))
    .map(([first, more]) => ingress({ first, last: Math.min(first + more, 65_535) }))
  fc.assert(
    fc.property(fc.array(spans, { maxLength: 8 }), (ingresses) => {
      const { forwards } = forwardsOf(network(ingresses), '127.0.0.1')
      expect(forwards.length).toBeLessThanOrEqual(FORWARDED_PORTS_MAX)
      for (const { port } of forwards) {
        expect(ingresses.some(({ first, last }) => first <= port && port <= last)).toBe(true)
      }
    }),
  )
})

test('ports of a host are taken once, found again, and given back', async () => {
  const data = mkdtempSync(join(tmpdir(), 'steading-ports-'))
  onTestFinished(() => rmSync(data, { recursive: true }))
  const database = await openTestDatabase(data)
  onTestFinished(() => database.close())
  const ports = createPorts(database)
  const listening = {
    host: 'host',
    address: '127.0.0.1',
    range: () => ({ first: 20_000, last: 20_003 }),
  }
  const forward = (port: number) => ({ ...ssh, protocol: 'tcp' as const, port })
  const taken = await Promise.all(
    [1, 2, 3].map((port) => ports.take('machine', forward(port), listening)),
  )
  expect(new Set(taken.map(({ port }) => port)).size).toBe(3)
  await ports.take('other', forward(4), listening)
  await expect(ports.take('other', forward(5), listening)).rejects.toThrow(NoPortError)
  await ports.giveAll('machine')
  expect(await ports.of('machine')).toEqual([])
  // The next machine of the instance gets the same port.
  const again = await ports.take('next', forward(1), listening)
  expect(again.port).toBe(taken[0]!.port)
  await ports.give(again)
  const refused = await ports.take('next', forward(1), listening, new Set([again.port]))
  expect(refused.port).not.toBe(again.port)
})

const answer = `Hub -1 (hostua-net0):\r
  Protocol[State]    FD  Source Address  Port   Dest. Address  Port RecvQ SendQ\r
Hub -1 (steading0):\r
  Protocol[State]    FD  Source Address  Port   Dest. Address  Port RecvQ SendQ\r
  TCP[TIME_WAIT]     21       127.0.0.1 29999      172.30.0.5    22     0     0\r
  TCP[HOST_FORWARD]  16       127.0.0.1 29999      172.30.0.5    22     0     0\r
  UDP[HOST_FORWARD]  17               * 29998      172.30.0.5    53     0     0\r
`
const forwarded: HostForward = {
  protocol: 'tcp',
  hostAddress: '127.0.0.1',
  hostPort: 29_999,
  guest: '172.30.0.5',
  port: 22,
}

test('the forwards that QEMU reports are read', () => {
  expect(parseUsernet(answer)).toEqual(
    new Map([
      ['hostua-net0', []],
      [
        'steading0',
        [
          forwarded,
          { ...forwarded, protocol: 'udp', hostAddress: '0.0.0.0', hostPort: 29_998, port: 53 },
        ],
      ],
    ]),
  )
})

test('commands have addresses and numbers only', () => {
  expect(addForward('steading0', forwarded)).toBe(
    'hostfwd_add steading0 tcp:127.0.0.1:29999-172.30.0.5:22',
  )
  expect(removeForward('steading0', forwarded)).toBe('hostfwd_remove steading0 tcp:127.0.0.1:29999')
  expect(() => addForward('steading0', { ...forwarded, guest: '::1' })).toThrow('::1')
})
