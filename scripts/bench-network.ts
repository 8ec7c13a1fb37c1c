/**
 * `npm run bench:network`: duration of network model computations, for small and large VPCs, and
 * the ratios. Only measures; compare two runs on one machine.
 */
import { NETWORK_CHANGE_LIMITS } from '@steading/api/rules'
import { ask, compareNetworks, compile, emptyRows, type NetworkRows } from '@steading/network'

const RUNS = 5

/** A VPC with rules of all kinds; `own` of its rules match one instance each. */
function vpcOf(instances: number, rules: number, own: number): NetworkRows {
  const rows = emptyRows()
  const vpc_id = 'vpc'
  rows.vpcs.push({
    id: vpc_id,
    name: 'main',
    project_id: 'project',
    ipv6_prefix: 'fd00:1::/48',
    dns_name: 'main',
  })
  rows.routers.push({ id: 'system', name: 'system', vpc_id, kind: 'system' })
  for (const subnet of [0, 1, 2, 3]) {
    const name = `subnet-${subnet}`
    rows.subnets.push({
      id: name,
      name,
      vpc_id,
      ipv4_block: `10.${subnet}.0.0/16`,
      ipv6_block: `fd00:1:0:${subnet + 1}::/64`,
      custom_router_id: null,
    })
    const end = { type: 'subnet' as const, value: name }
    rows.routes.push({
      id: name,
      name,
      vpc_router_id: 'system',
      kind: 'vpc_subnet',
      destination: end,
      target: end,
    })
  }
  for (let number = 0; number < instances; number++) {
    const name = `instance-${number}`
    const subnet = number % 4
    const host = 5 + Math.floor(number / 4)
    rows.instances.push({ id: name, name, project_id: 'project', run_state: 'running' })
    rows.interfaces.push({
      id: `nic-${number}`,
      name: 'net0',
      instance_id: name,
      vpc_id,
      subnet_id: `subnet-${subnet}`,
      primary: true,
      mac: '',
      ipv4: `10.${subnet}.${host >> 8}.${host & 255}`,
      ipv6: `fd00:1:0:${subnet + 1}::${host.toString(16)}`,
      transit_ips: [],
    })
  }
  for (let number = 0; number < rules; number++) {
    const target =
      number < own
        ? { type: 'instance' as const, value: `instance-${number % instances}` }
        : { type: 'subnet' as const, value: `subnet-${number % 4}` }
    rows.firewall_rules.push({
      id: `rule-${number}`,
      name: `rule-${number}`,
      vpc_id,
      status: 'enabled',
      direction: number % 8 === 7 ? 'outbound' : 'inbound',
      targets: [target],
      filters: {
        hosts: [
          number % 3 === 0
            ? { type: 'vpc', value: 'main' }
            : { type: 'ip_net', value: `10.${number % 4}.0.0/25` },
        ],
        protocols: [{ type: 'tcp' }],
        ports: [`${1000 + number}-${1010 + number}`],
      },
      action: number % 5 === 4 ? 'deny' : 'allow',
      priority: number % 100,
    })
  }
  return rows
}

function timed<T>(work: () => T): { ms: number; result: T } {
  const times: number[] = []
  let result!: T
  for (let run = 0; run < RUNS; run++) {
    const begin = performance.now()
    result = work()
    times.push(performance.now() - begin)
  }
  return { ms: times.toSorted((a, b) => a - b)[RUNS >> 1]!, result }
}

/** Plans a change. The longest turn is where the plan yields least. */
function plan(before: NetworkRows, after: NetworkRows) {
  let longest = 0
  const { ms, result } = timed(() => {
    longest = 0
    const work = compareNetworks(compile(before), compile(after), 'vpc', NETWORK_CHANGE_LIMITS)
    for (;;) {
      const begin = performance.now()
      const step = work.next()
      longest = Math.max(longest, performance.now() - begin)
      if (step.done) return step.value
    }
  })
  return { ms, longest, leftOut: result.left_out.pairs }
}

/** The network with a second interface of one instance. */
function withInterface(rows: NetworkRows): NetworkRows {
  const [first] = rows.interfaces
  const added = {
    ...first!,
    id: 'added',
    name: 'net1',
    primary: false,
    subnet_id: 'subnet-1',
    ipv4: '10.1.200.1',
    ipv6: null,
  }
  return { ...rows, interfaces: [...rows.interfaces, added] }
}

const columns = ['compile', 'question', 'one rule', 'a subnet', 'all rules', 'interface', 'held']
const width = 12

function measure(label: string, rows: NetworkRows) {
  const compiled = timed(() => compile(rows))
  const asked = timed(() =>
    ask(compiled.result, {
      from: { type: 'instance', instance: 'instance-0' },
      to: { type: 'instance', instance: 'instance-9' },
      protocol: 'tcp',
      port: 65_000,
    }),
  )
  const { firewall_rules: rules } = rows
  const ofSubnet = {
    ...rules[0]!,
    id: 'new',
    name: 'new',
    priority: 0,
    targets: [{ type: 'subnet' as const, value: 'subnet-0' }],
  }
  const plans = [
    { ...rows, firewall_rules: rules.slice(1) },
    { ...rows, firewall_rules: [...rules, ofSubnet] },
    { ...rows, firewall_rules: [] },
    withInterface(rows),
  ].map((after) => plan(rows, after))
  const longest = Math.max(...plans.map((one) => one.longest))
  const figures = [compiled.ms, asked.ms, ...plans.map(({ ms }) => ms), longest]
  const leftOut = plans.reduce((sum, one) => sum + one.leftOut, 0)
  const texts = figures.map((ms) => `${ms.toFixed(1)} ms`.padStart(width))
  console.log(`${label.padEnd(44)}${texts.join('')}${String(leftOut).padStart(width)}`)
  return figures
}

console.log(
  `${''.padEnd(44)}${[...columns, 'left out'].map((name) => name.padStart(width)).join('')}`,
)
const small = measure('50 instances, 32 rules', vpcOf(50, 32, 0))
const large = measure('500 instances, 1024 rules', vpcOf(500, 1024, 0))
const apart = measure('500 instances, 1024 rules, all different', vpcOf(500, 1024, 500))
measure('2000 instances, 1024 rules, all different', vpcOf(2000, 1024, 1000))
const ratio = (figures: number[]) =>
  figures.map((ms, at) => `${(ms / small[at]!).toFixed(1)}×`.padStart(width)).join('')
console.log(`${'large to small'.padEnd(44)}${ratio(large)}`)
console.log(`${'all different to small'.padEnd(44)}${ratio(apart)}`)
