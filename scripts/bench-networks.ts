/**
 * `npm run bench:networks`: how long a change of a rule takes until it is in effect on the host, in a
 * VPC with 500 interfaces and 1,024 rules, against the same change by OVN's own tool. Only measures.
 */
import { compile, emptyRows, type NetworkRows } from '../packages/network/src/index.ts'
import {
  addExternalIp,
  addInstance,
  addRule,
  addSubnet,
  addVpc,
} from '../packages/network/test/support/world.ts'
import { openNorthbound, rowsOfVpc, systemHost } from '../packages/ovn/src/index.ts'
import { openWorld, ovnMissing } from '../packages/ovn/test/support/open-world.ts'
import { settings } from '../packages/ovn/test/support/settings.ts'

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

const missing = ovnMissing()
if (missing !== undefined) {
  console.error(`No OVN runs here: ${missing}.`)
  process.exit(1)
}
const world = await openWorld()
try {
  await systemHost(world.run, world.southbound).prepare()
  const northbound = await openNorthbound({
    path: world.northbound,
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
  northbound.close()
} finally {
  await world.end()
}
