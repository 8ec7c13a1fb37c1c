/** What operators, FRR, lldpd and modules say, as it is read. */
import { describe, expect, test } from 'vitest'
import { LldpInterfaces, lldpPlan } from '../src/lldp.ts'
import { merged, readRunning } from '../src/config/marks.ts'
import { linesOf } from '../src/config/sections.ts'
import { readUplinkHosts } from '../src/hosts.ts'
import { monitorsIn } from '../src/observe/module.ts'
import { hostTime } from '../src/observe/states.ts'

describe('the file of hosts', () => {
  const edge0 = { name: 'edge0', switch: 'switch0', ports: { qsfp0: 'eth1' } }
  const read = (...hosts: object[]) => readUplinkHosts(JSON.stringify({ hosts }))

  test('names hosts, with what they usually have', () => {
    const far = {
      name: 'edge1',
      switch: 'switch0',
      host: 'ssh://root@edge1',
      frr: 'uplink',
      lldp: '/run/lldpd.socket',
      ports: { qsfp1: ['eth1', 'eth2'] },
    }
    expect(read(edge0, far)).toEqual([{ ...edge0, host: 'local', ports: { qsfp0: ['eth1'] } }, far])
    expect(read()).toEqual([])
  })

  test.each<[string, object[], string]>([
    [
      'a name twice',
      [edge0, { ...edge0, frr: 'other', ports: {} }],
      'the name edge0 is there twice',
    ],
    [
      'an FRR twice',
      [edge0, { ...edge0, name: 'edge1', ports: {} }],
      'the FRR without a path space',
    ],
    [
      'a port twice',
      [edge0, { ...edge0, name: 'edge1', host: 'ssh://edge1' }],
      'the port switch0/qsfp0 is there twice',
    ],
    [
      'an interface twice',
      [{ ...edge0, ports: { qsfp0: ['eth1', 'eth1'] } }],
      'the interface eth1',
    ],
    ['another switch', [{ ...edge0, switch: 'switch2' }], 'hosts.0.switch: '],
    ['a word of its own', [{ ...edge0, user: 'root' }], 'Unrecognized key'],
    [
      'an interface of two words',
      [{ ...edge0, ports: { qsfp0: 'eth1 up' } }],
      'hosts.0.ports.qsfp0',
    ],
    [
      'an option as host',
      [{ ...edge0, host: 'ssh://-oProxyCommand=id' }],
      'is neither local nor like',
    ],
    ['a path space of two', [{ ...edge0, frr: '../other' }], 'is not a path space of FRR'],
  ])('is refused with %s', (_, hosts, reason) => {
    expect(() => read(...hosts)).toThrow(reason)
  })

  test('is refused if it is no JSON', () => {
    expect(() => readUplinkHosts('hosts:')).toThrow('it is not JSON')
  })
})

const running = `Building configuration...

Current configuration:
!
frr version 8.4.4
hostname edge0
!
vrf red
 ip route 10.1.0.0/16 192.0.2.1
exit-vrf
!
ip route 10.20.0.0/16 192.0.2.1 eth1 tag 1937007981 7
ip route 10.21.0.0/16 192.0.2.1 eth1 tag 19370079811
!
interface eth1
 description of others
exit
!
interface eth7
 description steading
exit
!
router bgp 65000
 neighbor steading peer-group
 !
 address-family ipv4 unicast
  network 198.51.100.0/24
 exit-address-family
exit
!
router bgp 65000 vrf red
 neighbor 10.0.0.1 remote-as 1
exit
!
bfd
 profile steading-3-300
 exit
 !
 peer 192.0.2.1 interface eth1
  profile steading-3-300
 exit
 !
 peer 192.0.2.9 interface eth1
 exit
 !
exit
!
end
`

test('what is ours in a configuration is told from what others have', () => {
  const { own, others, inTheWay } = readRunning(running, new Set(['eth1']))
  expect(own.map(({ head }) => head)).toEqual([
    'ip route 10.20.0.0/16 192.0.2.1 eth1 tag 1937007981 7',
    'interface eth1',
    'interface eth7',
    'router bgp 65000',
    'bfd',
  ])
  expect(inTheWay).toEqual({})
  expect(linesOf(others)).toEqual([
    'frr version 8.4.4',
    'hostname edge0',
    'vrf red',
    ' ip route 10.1.0.0/16 192.0.2.1',
    'exit-vrf',
    'ip route 10.21.0.0/16 192.0.2.1 eth1 tag 19370079811',
    'router bgp 65000 vrf red',
    ' neighbor 10.0.0.1 remote-as 1',
    'exit',
    'bfd',
    ' peer 192.0.2.9 interface eth1',
    ' exit',
    'exit',
  ])
  const together = linesOf(merged(others, own))
  expect(together.filter((line) => line === 'bfd')).toHaveLength(1)
  expect(together).toEqual(
    expect.arrayContaining([' peer 192.0.2.9 interface eth1', ' peer 192.0.2.1 interface eth1']),
  )
})

test('a BGP instance and a loopback interface of others are in the way', () => {
  const text = 'interface lo\n ip address 10.0.0.1/32\nexit\nrouter bgp 1\nexit\n'
  expect(readRunning(text, new Set()).inTheWay).toEqual({
    bgp: 'router bgp 1',
    loopback: 'interface lo',
  })
})

test.each([
  ['2026/11/29 22:15:05.34', 60, '2026-11-29T21:15:05.000Z'],
  ['2026/11/29 22:15:05', -90, '2026-11-29T23:45:05.000Z'],
  ['(never)', 0, undefined],
  [undefined, 0, undefined],
])('a time of a host, %s', (text, offset, time) => {
  expect(hostTime(text, offset)?.toISOString()).toBe(time)
})

test.each([
  [
    'of one lane',
    `\tModule temperature                        : 35.05 degrees C / 95.09 degrees F
\tLaser output power                        : 0.5814 mW / -2.36 dBm
\tReceiver signal average optical power     : 0.4975 mW / -3.03 dBm
\tModule temperature high alarm             : Off`,
    { temperature: 35.05, transmitterPower: 0.5814, receiverPower: 0.4975 },
  ],
  [
    'of four lanes',
    `\tModule temperature                        : 30.00 degrees C / 86.00 degrees F
\tTransmit avg optical power (Channel 1)    : 0.9000 mW / -0.46 dBm
\tTransmit avg optical power (Channel 2)    : 0.8000 mW / -0.97 dBm
\tRcvr signal avg optical power(Channel 1)  : 0.6000 mW / -2.22 dBm`,
    { temperature: 30, transmitterPower: 0.9, receiverPower: 0.6 },
  ],
  ['of copper', '\tIdentifier                                : 0x03 (SFP)', undefined],
])('measurements of a module %s', (_, text, monitors) => {
  expect(monitorsIn(text)).toEqual(monitors)
})

test('lldpd is told only what it does not say yet', () => {
  const port = (name: string, status: string, type: string, value: string, descr = name) => ({
    name,
    status: [{ value: status }],
    port: [{ id: [{ type, value }], descr: [{ value: descr }] }],
  })
  const interfaces = LldpInterfaces.parse({
    lldp: [
      {
        interface: [
          port('eth1', 'RX and TX', 'local', 'old'),
          port('eth2', 'RX and TX', 'local', 'north', 'to the north'),
          port('eth3', 'RX and TX', 'mac', '02:00:00:00:00:01'),
        ],
      },
    ],
  })
  const { commands, problems } = lldpPlan(
    [
      { name: 'eth1', mtu: 1500, lldp: true, lldpTexts: { system_name: 'two\nlines' } },
      {
        name: 'eth2',
        mtu: 1500,
        lldp: true,
        lldpTexts: {
          link_name: 'north',
          link_description: 'to the north',
          chassis_id: 'rack',
        },
      },
      { name: 'eth3', mtu: 1500, lldp: false, lldpTexts: {} },
      { name: 'eth4', mtu: 1500, lldp: true, lldpTexts: {} },
    ],
    interfaces,
    { hostname: [{ value: '(none)' }], 'mgmt-pattern': [{ value: '10.0.0.1' }] },
  )
  expect(commands.map((words) => words.join(' '))).toEqual([
    'configure ports eth1 lldp portidsubtype macaddress',
    'configure ports eth3 lldp status disabled',
    'unconfigure system ip management pattern',
    'configure system chassisid rack',
  ])
  expect(problems).toEqual([
    'lldpd does not know the interface eth4',
    'system_name of LLDP is left out: it is not a line of text',
  ])
})
