/**
 * `npm run bench:network`: how long the model of the network takes, for small and for large VPCs, and
 * the ratios. Nothing here passes or fails; compare two runs on one machine.
 */
import { NETWORK_CHANGE_LIMITS } from '@steading/api/rules'
import { ask, compareNetworks, compile, emptyRows, type NetworkRows } from '@steading/network'

const RUNS = 5

/** A VPC with rules of all kinds; `own` of its rules are each about one instance only. */
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
      ipv4_block: `10.0.${subnet}.0/24`,
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
      ipv4: `10.0.${subnet}.${host}`,
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
            : { type: 'ip_net', value: `10.0.${number % 4}.0/25` },
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
  const changed = { ...rows, firewall_rules: rows.firewall_rules.slice(1) }
  const all = { ...rows, firewall_rules: [] }
  const plan = (after: NetworkRows) =>
    timed(() => {
      const work = compareNetworks(compile(rows), compile(after), 'vpc', NETWORK_CHANGE_LIMITS)
      for (;;) {
        const step = work.next()
        if (step.done) return step.value
      }
    })
  const one = plan(changed)
  const every = plan(all)
  const figures = [compiled.ms, asked.ms, one.ms, every.ms]
  console.log(
    `${label.padEnd(44)}${figures.map((ms) => `${ms.toFixed(1)} ms`.padStart(12)).join('')}` +
      `${String(every.result.left_out.pairs).padStart(10)}`,
  )
  return figures
}

console.log(
  `${''.padEnd(44)}${['compile', 'question', 'one rule', 'all rules', 'left out'].map((name, at) => name.padStart(at < 4 ? 12 : 10)).join('')}`,
)
const small = measure('50 instances, 32 rules', vpcOf(50, 32, 0))
const large = measure('500 instances, 1024 rules', vpcOf(500, 1024, 0))
const apart = measure('500 instances, 1024 rules, all different', vpcOf(500, 1024, 500))
const ratio = (figures: number[]) =>
  figures.map((ms, at) => `${(ms / small[at]!).toFixed(1)}×`.padStart(12)).join('')
console.log(`${'large to small'.padEnd(44)}${ratio(large)}`)
console.log(`${'all different to small'.padEnd(44)}${ratio(apart)}`)
