/**
 * A network namespace with an OVN and end points, controlled by lines of JSON:
 * `world.ts <directory> <ports> [room for databases]`, with commas. All of it ends with its standard input.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Report } from './endpoint.ts'

/** An interface of an end point. */
export interface PlaceInterface {
  /** Id of the port in OVN. */
  port: string
  mac: string
  /** Addresses with the length of their prefixes. */
  addresses: string[]
  /** Networks with neighbours, and the gateways of both versions for all other addresses. */
  networks: string[]
  gateways: string[]
}

export interface Place {
  name: string
  interfaces: PlaceInterface[]
}

/** The network outside. */
export interface Outside {
  name: string
  addresses: string[]
  /** Networks that are reached over the uplink. */
  routes: string[]
}

export type WorldOrder =
  | { place: Place | Outside }
  | { to: string; order: unknown }
  | { run: string[]; id: number }

export type WorldReport =
  | { up: true }
  | { from: string; report: Report }
  | { ran: number; output: string; failed: boolean }

const [directory, ports, room] = process.argv.slice(2) as [string, string, string?]
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

/** Devices have short names. */
let devices = 0

/** A port of OVN in another namespace. One end of a pair stays here, as the taps of machines do. */
function addPort(port: string, inside: string[]): void {
  const device = `p${++devices}`
  run('ip', 'link', 'add', device, 'type', 'veth', 'peer', 'name', ...inside)
  run('ip', 'link', 'set', device, 'up')
  const binding = ['--', 'set', 'interface', device, `external_ids:iface-id=${port}`]
  run('ovs-vsctl', '--', 'add-port', 'br-int', device, ...binding)
}

/** An end point behind ports of OVN, which answers by the interface that was asked. */
function beginInside({ name, interfaces }: Place): void {
  const { pid } = begin(name, [
    'unshare',
    '--net',
    'sh',
    '-c',
    'read go; exec "$@"',
    'sh',
    ...programFor(interfaces.flatMap(({ addresses }) => addresses)),
  ])
  // The shell waits for a line, in its namespace, until that has the devices.
  const inside = (...command: string[]) => run('nsenter', '-t', String(pid), '-n', ...command)
  for (;;) {
    const [own, outer] = [pid, process.pid].map((one) => run('readlink', `/proc/${one}/ns/net`))
    if (own !== outer) break
  }
  inside('ip', 'link', 'set', 'lo', 'up')
  for (const [at, { port, mac, addresses, networks, gateways }] of interfaces.entries()) {
    const device = `eth${at}`
    addPort(port, [device, 'address', mac, 'netns', String(pid)])
    inside('ethtool', '-K', device, 'tx', 'off')
    const quiet = ['accept_dad', 'accept_ra'].map((key) => `net.ipv6.conf.${device}.${key}=0`)
    const open = ['all', device].map((one) => `net.ipv4.conf.${one}.rp_filter=0`)
    inside('sysctl', '-qw', ...open, ...quiet)
    inside('ip', 'link', 'set', device, 'up')
    // Each address sends by its own interface, whatever networks others have.
    const table = ['table', String(100 + at)]
    for (const address of addresses) {
      const own = address.split('/')[0]!
      inside('ip', 'address', 'add', address, 'dev', device)
      inside('ip', own.includes(':') ? '-6' : '-4', 'rule', 'add', 'from', own, ...table)
    }
    for (const network of networks) inside('ip', 'route', 'add', network, 'dev', device, ...table)
    for (const gateway of gateways) {
      inside('ip', 'route', 'add', 'default', 'via', gateway, 'dev', device, 'onlink', ...table)
    }
  }
  places.get(name)!.stdin!.write('go\n')
}

/** The network outside: this namespace, at the other end of the uplink. */
function beginOutside({ name, addresses, routes }: Outside): void {
  for (const address of addresses) run('ip', 'address', 'add', address, 'dev', 'lo')
  for (const route of routes) run('ip', 'route', 'add', route, 'dev', 'outside')
  begin(name, programFor(addresses))
}

run('bash', join(here, 'start-ovn.sh'), directory, ...(room ? [room] : []))
run('sysctl', '-qw', 'net.ipv6.conf.all.accept_dad=0', 'net.ipv6.conf.default.accept_dad=0')
run('sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1')
say({ up: true })
for await (const line of createInterface({ input: process.stdin })) {
  const order = JSON.parse(line) as WorldOrder
  if ('place' in order) {
    if ('interfaces' in order.place) beginInside(order.place)
    else beginOutside(order.place)
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
