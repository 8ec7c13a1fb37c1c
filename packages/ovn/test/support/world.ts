/**
 * A network namespace with an OVN and end points, controlled by lines of JSON:
 * `world.ts <directory> <ports>`, with commas. All of it ends with its standard input.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Report } from './endpoint.ts'

export interface Place {
  name: string
  /** Id of the port in OVN; null for the network outside. */
  port: string | null
  mac: string
  /** Addresses with the length of their prefixes. */
  addresses: string[]
  /** Gateways of both versions, for all other addresses. */
  gateways: string[]
  /** Networks that are reached over the uplink. */
  routes: string[]
}

export type WorldOrder =
  | { place: Place }
  | { to: string; order: unknown }
  | { run: string[]; id: number }

export type WorldReport =
  | { up: true }
  | { from: string; report: Report }
  | { ran: number; output: string; failed: boolean }

const [directory, ports] = process.argv.slice(2) as [string, string]
const here = import.meta.dirname
const say = (report: WorldReport): void => void process.stdout.write(`${JSON.stringify(report)}\n`)

// The other end is gone when the test has ended.
process.stdout.on('error', () => process.exit())

const env = {
  ...process.env,
  OVS_RUNDIR: join(directory, 'run'),
  OVN_RUNDIR: join(directory, 'run'),
}
const run = (command: string, ...args: string[]): string =>
  execFileSync(command, args, { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

const places = new Map<string, ChildProcess>()

function begin(name: string, command: string[]): ChildProcess {
  const child = spawn(command[0]!, command.slice(1), { stdio: ['pipe', 'pipe', 'inherit'] })
  places.set(name, child)
  child.stdin!.on('error', () => {})
  createInterface({ input: child.stdout! }).on('line', (line) =>
    say({ from: name, report: JSON.parse(line) as Report }),
  )
  return child
}

const programFor = (addresses: readonly string[]): string[] => [
  process.execPath,
  join(here, 'endpoint.ts'),
  addresses.map((one) => one.split('/')[0]).join(','),
  ports,
]

/** An end point behind a port of OVN. */
function beginInside({ name, port, mac, addresses, gateways }: Place): void {
  const device = `p${places.size}`
  const { pid } = begin(name, [
    'unshare',
    '--net',
    'sh',
    '-c',
    'read go; exec "$@"',
    'sh',
    ...programFor(addresses),
  ])
  // The shell waits for a line, in its namespace, until that has the device.
  const inside = (...command: string[]) => run('nsenter', '-t', String(pid), '-n', ...command)
  for (;;) {
    const [own, outer] = [pid, process.pid].map((one) => run('readlink', `/proc/${one}/ns/net`))
    if (own !== outer) break
  }
  // One end of a pair stays outside, as the taps of machines do.
  const peer = ['type', 'veth', 'peer', 'name', 'eth0', 'address', mac, 'netns', String(pid)]
  run('ip', 'link', 'add', device, ...peer)
  run('ip', 'link', 'set', device, 'up')
  const binding = ['--', 'set', 'interface', device, `external_ids:iface-id=${port}`]
  run('ovs-vsctl', '--', 'add-port', 'br-int', device, ...binding)
  inside('ip', 'link', 'set', 'lo', 'up')
  inside('ethtool', '-K', 'eth0', 'tx', 'off')
  inside('sysctl', '-qw', 'net.ipv6.conf.eth0.accept_dad=0', 'net.ipv6.conf.eth0.accept_ra=0')
  inside('ip', 'link', 'set', 'eth0', 'up')
  for (const address of addresses) inside('ip', 'address', 'add', address, 'dev', 'eth0')
  for (const gateway of gateways) inside('ip', 'route', 'add', 'default', 'via', gateway)
  places.get(name)!.stdin!.write('go\n')
}

/** The network outside: this namespace, at the other end of the uplink. */
function beginOutside({ name, addresses, routes }: Place): void {
  for (const address of addresses) run('ip', 'address', 'add', address, 'dev', 'lo')
  for (const route of routes) run('ip', 'route', 'add', route, 'dev', 'outside')
  begin(name, programFor(addresses))
}

run('bash', join(here, 'start-ovn.sh'), directory)
run('sysctl', '-qw', 'net.ipv6.conf.all.accept_dad=0', 'net.ipv6.conf.default.accept_dad=0')
run('sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1')
say({ up: true })
for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as WorldOrder
  if ('place' in order) {
    if (order.place.port === null) beginOutside(order.place)
    else beginInside(order.place)
  } else if ('to' in order) {
    places.get(order.to)!.stdin!.write(`${JSON.stringify(order.order)}\n`)
  } else {
    const [command, ...args] = order.run as [string, ...string[]]
    try {
      say({ ran: order.id, output: run(command, ...args), failed: false })
    } catch (error) {
      const { stderr, message } = error as { stderr?: string; message: string }
      say({ ran: order.id, output: stderr ?? message, failed: true })
    }
  }
}
process.exit()
