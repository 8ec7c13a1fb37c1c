/** What hosts say of packets is read as it is, and summed up over replaced flows. */
import { execFile } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseDaemons } from '../src/observe/daemons.ts'
import { parseLog } from '../src/observe/denied-packets.ts'
import { type Flow, parseFlows, readFlows } from '../src/observe/flows.ts'
import { type Waiting, waitFor } from '../src/observe/hosts.ts'
import { addLook, type Sum } from '../src/observe/rule-counters.ts'

/** Runs commands with a program `ovs-ofctl` that writes a text, or fails. */
function withSwitch(script: string) {
  const directory = mkdtempSync(join(tmpdir(), 'steading-flows-'))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  const program = join(directory, 'ovs-ofctl')
  writeFileSync(program, `#!/bin/sh\n${script}\n`)
  chmodSync(program, 0o755)
  const env = { ...process.env, PATH: `${directory}:${process.env.PATH}` }
  return async (command: string, ...args: string[]) =>
    (await promisify(execFile)(command, args, { env })).stdout
}

const dump = `
 cookie=0x86f1834b, duration=1.425s, table=46, n_packets=2, n_bytes=188, idle_age=7, priority=31000,tcp6,reg0=0x200/0x200,reg15=0x2,metadata=0x1,tp_dst=80 actions=controller(userdata=00.00.00.07.00.00.00.00,meter_id=1)
 cookie=0x86f1834b, duration=301.4s, table=46, n_packets=9007199254740, n_bytes=444, idle_age=65534, hard_age=65535, priority=31000,tcp,reg0=0x200/0x200,reg15=0x2,metadata=0x1,tp_dst=80 actions=drop
 cookie=0x454eb, duration=4.5s, table=46, n_packets=0, n_bytes=0, idle_age=4, priority=1001,ip,reg0=0x200/0x200,metadata=0x3 actions=drop
 cookie=0x3bfc9bf7, duration=1.426s, table=46, n_packets=37, n_bytes=3240, idle_age=0, priority=100,ip,metadata=0x2 actions=resubmit(,47)
 cookie=0x0, duration=1.426s, table=0, n_packets=37, n_bytes=3240, idle_age=0, actions=NORMAL
`

describe('flows', () => {
  test('are summed up by their logical flows', async () => {
    const flows = await readFlows(withSwitch(`cat <<'END'${dump}END`))
    expect(flows.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      { id: '000454eb 1001', packets: 0, idle: 0, age: 4.5 },
      { id: '86f1834b 31000', packets: 9_007_199_254_742, idle: 7, age: 301.4 },
    ])
  })

  test('of a switch that does not answer are not taken for none', async () => {
    await expect(readFlows(withSwitch('exit 1'))).rejects.toThrow('Command failed')
  })

  test('in other words are left out', () => {
    expect(parseFlows('0x1 31000 1 2\nNXST_FLOW reply\n0xzz 1 1 1 1\n\n')).toEqual([])
  })
})

describe('the sum of a rule', () => {
  const decision = { uuid: 'aaaaaaaa-0000', vpcId: 'shop', key: 'rule web', name: null, text: '80' }
  const flow = (id: string, packets: number, age: number): Flow => ({ id, packets, idle: 0, age })
  const start = new Date('2026-01-01T00:00:00Z')
  const after = (seconds: number) => new Date(start.getTime() + seconds * 1000)

  /** Looks every ten seconds. */
  function sumsOf(looks: readonly (readonly Flow[])[], texts: readonly string[] = []): Sum[] {
    let sums = new Map<string, Sum>()
    return looks.map((flows, at) => {
      const hints = new Map(flows.map(({ id }) => [id, 'aaaaaaaa']))
      const decisions = [{ ...decision, text: texts[at] ?? decision.text }]
      const look = { flows, hints, decisions, now: after(10 * at) }
      sums = addLook(sums, look, at > 0 ? 10 : Infinity)
      return [...sums.values()][0]!
    })
  }
  const packetsOf = (...looks: readonly Flow[][]) => sumsOf(looks).map(({ packets }) => packets)

  test.each<[string, Flow[][], number[]]>([
    ['has what flows counted before', [[flow('a', 5, 100)]], [5]],
    ['has several flows', [[flow('a', 5, 100), flow('b', 2, 100)]], [7]],
    ['grows with its flows', [[flow('a', 5, 100)], [flow('a', 8, 110)]], [5, 8]],
    ['goes on with new flows', [[flow('a', 5, 100)], [flow('b', 2, 3)]], [5, 7]],
    ['goes on after the switch started anew', [[flow('a', 5, 100)], [flow('a', 2, 3)]], [5, 7]],
    ['never shrinks', [[flow('a', 5, 100)], [flow('a', 2, 110)], [flow('a', 3, 120)]], [5, 5, 6]],
    ['stays without flows', [[flow('a', 5, 100)], [], [flow('c', 1, 5)]], [5, 5, 6]],
  ])('%s', (_, looks, packets) => {
    expect(packetsOf(...looks)).toEqual(packets)
  })

  test('begins anew with another rule of the same name', () => {
    const [before, changed] = sumsOf([[flow('a', 5, 100)], [flow('b', 1, 4)]], ['80', '443'])
    expect(before).toMatchObject({ packets: 5, since: after(-100), last: after(0) })
    expect(changed).toMatchObject({ packets: 1, since: after(6) })
  })
})

describe('a part of OVN', () => {
  const now = (second: number) => ({
    date: new Date(Date.UTC(2026, 0, 1, 0, 0, second)),
    ms: 1000 * second,
  })

  /** Since which seconds it is waited for, by looks with the last change and the followed one. */
  function waited(...looks: [last: number, followed: number][]): (number | undefined)[] {
    let waiting: ReadonlyMap<string, Waiting> = new Map()
    return looks.map(([last, followed], second) => {
      waiting = waitFor(waiting, [{ name: 'one', followed }], last, now(second))
      return waiting.get('one')?.since.date.getUTCSeconds()
    })
  }

  test.each<[string, [number, number][], (number | undefined)[]]>([
    [
      'follows all changes',
      [
        [5, 5],
        [6, 6],
      ],
      [undefined, undefined],
    ],
    [
      'follows none',
      [
        [5, 4],
        [6, 4],
        [7, 4],
      ],
      [0, 0, 0],
    ],
    [
      'follows old ones, of which there are ever more',
      [
        [5, 4],
        [7, 5],
        [9, 7],
      ],
      [0, 1, 2],
    ],
    [
      'is back',
      [
        [5, 4],
        [6, 4],
        [6, 6],
        [7, 6],
      ],
      [0, 0, undefined, 3],
    ],
  ])('that %s', (_, looks, since) => {
    expect(waited(...looks)).toEqual(since)
  })

  test('that is gone is not waited for', () => {
    const waiting = new Map([['one', { change: 5, since: now(0) }]])
    expect(waitFor(waiting, [], 6, now(1)).size).toBe(0)
  })
})

test('daemons are read with their state, and flows with their number', () => {
  const text = `ovs-vswitchd\trunning\t60\tovs-vswitchd (Open vSwitch) 3.1.0
ovn-northd\tsilent\t5\t
OVN northbound database\trunning\t61\tovsdb-server (Open vSwitch) 3.1.0
ovn-controller\tended\t\t
something else\trunning\t1\tx 1
NXST_AGGREGATE reply (xid=0x4): packet_count=1 byte_count=2 flow_count=48838
`
  const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) - 1000 * seconds)
  expect(parseDaemons(text, at(0))).toEqual({
    daemons: [
      { name: 'OVN northbound database', state: 'running', since: at(61), version: '3.1.0' },
      { name: 'ovn-northd', state: 'silent', since: at(5), version: undefined },
      { name: 'ovn-controller', state: 'ended', since: undefined, version: undefined },
      { name: 'ovs-vswitchd', state: 'running', since: at(60), version: '3.1.0' },
    ],
    flows: 48_838,
  })
  expect(parseDaemons('', at(0))).toEqual({ daemons: [], flows: undefined })
})

describe('the log', () => {
  const inLog = (rest: string) =>
    `2026-11-29T18:49:59.662Z|00009|acl_log(ovn_pinctrl0)|INFO|${rest}`
  const head = (name: string, direction: string) =>
    `name="${name}", verdict=drop, severity=info, direction=${direction}: `
  const tcp = `${head('0123-abcd', 'to-lport')}tcp,vlan_tci=0x0000,dl_src=02:ea:b8:07:42:24,dl_dst=a8:40:25:f0:00:01,nw_src=172.30.0.5,nw_dst=172.30.4.5,nw_tos=0,nw_ecn=0,nw_ttl=63,nw_frag=no,tp_src=42591,tp_dst=80,tcp_flags=syn`
  const icmp = `${head('0123-abcd', 'from-lport')}icmp6,vlan_tci=0x0000,dl_src=02:ea:b8:07:42:24,dl_dst=a8:40:25:f0:00:01,ipv6_src=fd00:1:0:1::5,ipv6_dst=fd00:1:0:2::5,ipv6_label=0xd6921,nw_tos=0,nw_ecn=0,nw_ttl=63,nw_frag=no,icmp_type=128,icmp_code=0`
  const fragment = `${head('0123-abcd', 'to-lport')}udp,vlan_tci=0x0000,dl_src=02:ea:b8:07:42:24,dl_dst=a8:40:25:f0:00:01,nw_src=172.30.0.5,nw_dst=172.30.4.5,nw_frag=later,tp_src=0,tp_dst=0`
  const sctp = `${head('0123-abcd', 'to-lport')}sctp,vlan_tci=0x0000,dl_src=02:ea:b8:07:42:24,dl_dst=a8:40:25:f0:00:01,nw_src=172.30.0.5,nw_dst=172.30.4.5,nw_frag=no,tp_src=5,tp_dst=6`
  const time = new Date('2026-11-29T18:49:59.662Z')
  const v4 = { source: '172.30.0.5', destination: '172.30.4.5', mac: 'a8:40:25:f0:00:01' }

  test.each<[string, string, object]>([
    ['TCP', tcp, { time, direction: 'inbound', protocol: 'tcp', port: 80, ...v4 }],
    [
      'ping of IPv6, by its sender',
      icmp,
      {
        time,
        direction: 'outbound',
        protocol: 'icmp6',
        icmpType: 128,
        source: 'fd00:1:0:1::5',
        destination: 'fd00:1:0:2::5',
        mac: '02:ea:b8:07:42:24',
      },
    ],
    [
      'a fragment, without its port',
      fragment,
      { time, direction: 'inbound', protocol: 'udp', ...v4 },
    ],
    ['another protocol', sctp, { time, direction: 'inbound', protocol: 'other', ...v4 }],
  ])('tells %s', (_, rest, packet) => {
    expect(parseLog(inLog(rest))).toEqual([{ name: '0123-abcd', ...packet }])
  })

  test.each([
    ['packets that are allowed', inLog(tcp.replace('verdict=drop', 'verdict=allow'))],
    ['lists without a name', inLog(tcp.replace('"0123-abcd"', '""'))],
    ['the end of a line that was cut off', inLog(tcp).slice(40)],
    ['a line whose beginning was cut off', inLog(tcp).slice(2)],
    ['a line that is cut off', inLog(tcp).slice(0, 180)],
    ['all else', '2026-11-29T18:49:59.662Z|00009|binding|INFO|Claiming lport acl_log(x)|'],
  ])('says nothing of %s', (_, text) => {
    expect(parseLog(text)).toEqual([])
  })
})
