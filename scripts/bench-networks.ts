/**
 * `npm run bench:networks`: how long a change of a rule takes until it is in effect on the host, in a
 * VPC with 500 interfaces and 1,024 rules, against the same change by OVN's own tool; and the
 * throughput between two instances against two ports of a switch of OVN that nobody filters (with
 * Debian's `iperf3`); and the server of an ordinary user at rest. `npm run bench:networks -- rest` is
 * the last one alone. Only measures.
 */
import { spawnSync } from 'node:child_process'
import { compile, emptyRows, type NetworkRows } from '../packages/network/src/index.ts'
import {
  addExternalIp,
  addInstance,
  addRule,
  addSubnet,
  addVpc,
} from '../packages/network/test/support/world.ts'
import {
  type Northbound,
  openNorthbound,
  rowsOfVpc,
  systemHost,
} from '../packages/ovn/src/index.ts'
import { openWorld, ovnMissing, type World } from '../packages/ovn/test/support/open-world.ts'
import { settings } from '../packages/ovn/test/support/settings.ts'
import { rootlessMissing } from '../packages/rootless/test/support/missing.ts'
import { atRestFigures } from './bench/at-rest.ts'

const INTERFACES = 500
const RULES = 1024
const ROUNDS = 40
const VPC = 'vpc shop'

function largeVpc(): NetworkRows {
  const rows = emptyRows()
  addVpc(rows, 'shop')
  addSubnet(rows, 'shop', 'default', ['172.30.0.0/22', 'fd00:1::/64'])
  for (let index = 0; index < INTERFACES; index++) {
    const [high, low] = [index >> 8, index & 255]
    addInstance(rows, 'shop', `i${index}`, [
      {
        subnet: 'default',
        ipv4: `172.30.${1 + high}.${low}`,
        ipv6: `fd00:1::${(index + 16).toString(16)}`,
      },
    ])
    addExternalIp(rows, 'ephemeral', `198.51.${100 + high}.${low}`, `i${index}`)
  }
  for (let index = 0; index < RULES; index++) {
    addRule(rows, 'shop', `r${index}`, {
      targets: [{ type: 'instance', value: `i${index % INTERFACES}` }],
      filters: {
        protocols: [{ type: 'tcp' }],
        ports: [String(1000 + index)],
        hosts: [{ type: 'instance', value: `i${(index * 7) % INTERFACES}` }],
      },
      priority: index,
    })
  }
  return rows
}

/** Milliseconds that some work takes. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const quantile = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))]!

function line(name: string, times: readonly number[]): { p50: number; p99: number } {
  const sorted = times.toSorted((a, b) => a - b)
  const [p50, p99] = [quantile(sorted, 0.5), quantile(sorted, 0.99)]
  console.log(`${name.padEnd(32)} p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`)
  return { p50, p99 }
}

const SMALL = 'vpc small'
const INSTANCES = { a: '172.31.0.10', b: '172.31.0.11' }

/** A VPC with two instances that may talk to each other. */
function smallVpc(): NetworkRows {
  const rows = emptyRows()
  addVpc(rows, 'small')
  addSubnet(rows, 'small', 'default', ['172.31.0.0/22', 'fd00:2::/64'])
  for (const [name, ipv4] of Object.entries(INSTANCES)) {
    addInstance(rows, 'small', name, [{ subnet: 'default', ipv4 }])
  }
  for (const [index, nic] of rows.interfaces.entries()) nic.mac = `A8:40:25:F0:01:0${index + 1}`
  addRule(rows, 'small', 'inside', { targets: [{ type: 'vpc', value: 'small' }] })
  return rows
}

/** Puts an end point into a namespace, at a port of OVN. */
async function place(world: World, name: string, port: string, mac: string, address: string) {
  const inside = (...command: string[]) => world.run('ip', '-n', name, ...command)
  await world.run('ip', 'netns', 'add', name)
  const add = ['add-port', 'br-int', name, '--', 'set', 'interface', name, 'type=internal']
  await world.run('ovs-vsctl', ...add, `external_ids:iface-id=${port}`)
  await world.run('ip', 'link', 'set', name, 'netns', name)
  await world.run('ip', 'netns', 'exec', name, 'ethtool', '-K', name, 'tx', 'off')
  await inside('link', 'set', name, 'address', mac, 'up')
  await inside('address', 'add', `${address}/22`, 'dev', name)
}

const SECONDS = 5
const THROUGHPUT_ROUNDS = 5

/** Bits per second of a connection between two namespaces. */
async function throughput(world: World, from: string, to: string, address: string) {
  const within = ['netns', 'exec']
  await world.run('ip', ...within, to, 'iperf3', '--server', '--daemon', '--one-off')
  const client = ['iperf3', '--client', address, '--time', String(SECONDS), '--json']
  const result = JSON.parse(await world.run('ip', ...within, from, ...client)) as {
    end: { sum_received: { bits_per_second: number } }
  }
  return result.end.sum_received.bits_per_second
}

/** Compares two instances with two ports of a plain switch. */
async function compareThroughput(world: World, northbound: Northbound): Promise<void> {
  const rows = smallVpc()
  await northbound.apply(SMALL, 1, rowsOfVpc(compile(rows).vpcs.get(SMALL)!, settings))
  const plain = { c: '172.31.4.10', d: '172.31.4.11' }
  await world.run('ovn-nbctl', 'ls-add', 'plain')
  const placed = ['a', 'b', ...Object.keys(plain)].map((name) => `bench-${name}`)
  try {
    for (const [name, address] of Object.entries(INSTANCES)) {
      const nic = rows.interfaces.find(({ ipv4 }) => ipv4 === address)!
      await place(world, `bench-${name}`, nic.id, nic.mac, address)
    }
    for (const [index, [name, address]] of Object.entries(plain).entries()) {
      const mac = `02:00:00:00:00:0${index + 1}`
      await world.run('ovn-nbctl', 'lsp-add', 'plain', name)
      await world.run('ovn-nbctl', 'lsp-set-addresses', name, `${mac} ${address}`)
      await place(world, `bench-${name}`, name, mac, address)
    }
    await world.run('ovn-nbctl', '--wait=hv', 'sync')
    const [ours, theirs]: [number[], number[]] = [[], []]
    for (let round = 0; round < THROUGHPUT_ROUNDS; round++) {
      ours.push(await throughput(world, 'bench-a', 'bench-b', INSTANCES.b))
      theirs.push(await throughput(world, 'bench-c', 'bench-d', plain.d))
    }
    const middle = (rates: readonly number[]) =>
      quantile(
        rates.toSorted((x, y) => x - y),
        0.5,
      )
    const say = (what: string, rate: number) =>
      console.log(`${what.padEnd(32)} ${(rate / 1e6).toFixed(0)} Mbit/s`)
    say('between two instances', middle(ours))
    say('at a switch without rules', middle(theirs))
    console.log(`${'ratio'.padEnd(32)} ${(middle(ours) / middle(theirs)).toFixed(2)}`)
  } finally {
    for (const name of placed) await world.run('ip', 'netns', 'delete', name).catch(() => {})
  }
}

async function compareWithOvn(): Promise<void> {
  const missing = ovnMissing()
  if (missing !== undefined) {
    console.error(`No OVN runs here: ${missing}.`)
    process.exit(1)
  }
  const world = await openWorld()
  try {
    await systemHost(world.run, world.southbound).prepare()
    const northbound = await openNorthbound({
      remote: world.northbound,
      owner: 'bench',
      log: (problem) => console.error(problem),
    })
    const rows = largeVpc()
    const [rule] = rows.firewall_rules
    const apply = async (version: number) => {
      rule!.filters.ports = [String(2000 + version)]
      const desired = rowsOfVpc(compile(rows).vpcs.get(VPC)!, settings)
      await northbound.apply(VPC, version, desired)
      await northbound.inEffect()
    }
    const first = await timed(() => apply(1))
    console.log(`${'the whole VPC, for the first time'.padEnd(32)} ${first.toFixed(0)} ms`)

    await world.run('ovn-nbctl', '--wait=hv', 'pg-add', 'bench', `nic i0 0`)
    const byTool = async (round: number) => {
      const match = `outport == @bench && tcp.dst == ${2000 + round}`
      await world.run('ovn-nbctl', 'acl-del', 'bench')
      await world.run(
        ...([
          'ovn-nbctl',
          '--wait=hv',
          'acl-add',
          'bench',
          'to-lport',
          '100',
          match,
          'allow',
        ] as const),
      )
    }
    const [ours, theirs]: [number[], number[]] = [[], []]
    // In turns, so that other work on the machine concerns both.
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await timed(() => apply(2 + round)))
      theirs.push(await timed(() => byTool(round)))
    }
    const own = line('a changed rule', ours)
    const tool = line('the same by ovn-nbctl', theirs)
    const ratio = (a: number, b: number) => (a / b).toFixed(2)
    console.log(
      `${'ratio'.padEnd(32)} p50 ${ratio(own.p50, tool.p50)}, p99 ${ratio(own.p99, tool.p99)}`,
    )
    if (spawnSync('iperf3', ['--version']).error) console.log('throughput: iperf3 is not installed')
    else await compareThroughput(world, northbound)
    northbound.close()
  } finally {
    await world.end()
  }
}

if (process.argv[2] !== 'rest') await compareWithOvn()
const missing = rootlessMissing()
if (missing === undefined) await atRestFigures()
else console.log(`at rest: no host without root runs here: ${missing}`)
