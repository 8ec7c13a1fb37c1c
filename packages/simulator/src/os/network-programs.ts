/** Programs that use the network. */
import type { IpVersion } from '@steading/api/rules'
import type { Destination, Reached } from './network.ts'
import type { Process, Program } from './program.ts'

const SECOND = 1000
const PINGS = 4
/** Timeout of `nc` in seconds. */
const PATIENCE = 3
/** Maximum number of ports that `nc` tries. */
const MAX_PORTS = 100
/** Polling interval of a listening program for connections, in milliseconds. */
const LISTEN_MS = 200

/** Waits for work without output, yielding to others. */
export function* wait<T>(work: Promise<T>): Generator<string, T> {
  let done: { value: T } | { error: unknown } | undefined
  work.then(
    (value) => (done = { value }),
    (error: unknown) => (done = { error }),
  )
  while (!done) yield ''
  if ('error' in done) throw done.error
  return done.value
}

function* sleepUntil({ system }: Process, time: number): Generator<string, void> {
  while (system.clock.now() < time) yield ''
}

/** Splits options, some of which take a value: `-c 3` or `-c3`. */
function parse(args: readonly string[], withValue: string) {
  const options = new Map<string, string>()
  const rest: string[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]!
    if (!/^-[^-]/.test(arg)) {
      rest.push(arg)
      continue
    }
    for (let letter = 1; letter < arg.length; letter++) {
      const name = arg[letter]!
      if (!withValue.includes(name)) {
        options.set(name, '')
        continue
      }
      options.set(name, arg.slice(letter + 1) || (args[++at] ?? ''))
      break
    }
  }
  const number = (name: string, otherwise: number): number => {
    const value = Number(options.get(name) ?? otherwise)
    return Number.isFinite(value) && value > 0 ? value : otherwise
  }
  const version: IpVersion | undefined = options.has('6')
    ? 'v6'
    : options.has('4')
      ? 'v4'
      : undefined
  return { options, rest, number, version }
}

/** Latency of a packet on a rack, deterministic per packet. */
function latency(address: string, sequence: number): string {
  let mixed = sequence * 37
  for (const char of address) mixed = (mixed * 31 + char.charCodeAt(0)) % 997
  return (0.2 + mixed / 2000).toFixed(3)
}

function* ping(process: Process) {
  const { args, system } = process
  const { rest, number, version } = parse(args, 'cWwi')
  const [host] = rest
  if (host === undefined) {
    yield 'usage: ping [-4|-6] [-c COUNT] [-W SECONDS] HOST\n'
    return 2
  }
  const count = Math.min(number('c', PINGS), 1000)
  let received = 0
  let shown = host
  for (let sequence = 1; sequence <= count; sequence++) {
    const sent = system.clock.now()
    const reached: Reached = yield* wait(system.network.reach({ host, version, protocol: 'icmp' }))
    if (reached.result === 'unknown') {
      yield `ping: ${host}: Name or service not known\n`
      return 2
    }
    if (reached.result === 'no network') {
      yield 'ping: connect: Network is unreachable\n'
      return 2
    }
    shown = reached.address
    if (sequence === 1) yield `PING ${host} (${shown}) 56 data bytes\n`
    const answered = reached.result !== 'lost'
    if (answered) {
      received++
      const from = reached.answeredBy ?? shown
      yield `64 bytes from ${from}: icmp_seq=${sequence} ttl=64 time=${latency(shown, sequence)} ms\n`
    }
    if (sequence < count || !answered) {
      yield* sleepUntil(process, sent + (answered ? 1 : number('W', 1)) * SECOND)
    }
  }
  const loss = Math.round(((count - received) / count) * 100)
  yield `\n--- ${host} ping statistics ---\n`
  yield `${count} packets transmitted, ${received} received, ${loss}% packet loss\n`
  return received > 0 ? 0 : 1
}

const portOf = (text: string | undefined): number | undefined => {
  const port = Number(text)
  return Number.isInteger(port) && port >= 1 && port <= 65_535 ? port : undefined
}

/** Ports of an argument like `22` or `20-25`; undefined if it is invalid. */
function portsOf(text: string | undefined): number[] | undefined {
  const [from, to = from] = (text ?? '').split('-')
  const first = portOf(from)
  const last = portOf(to)
  if (first === undefined || last === undefined || last < first) return undefined
  if (last - first >= MAX_PORTS) return undefined
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

function* listen(process: Process, port: number, verbose: boolean) {
  const { system } = process
  const listener = yield* wait(system.network.listen(port))
  if (!listener) {
    yield 'nc: Address already in use\n'
    return 1
  }
  try {
    if (verbose) yield `Listening on 0.0.0.0 ${port}\n`
    for (;;) {
      const peer = yield* wait(listener.heard())
      if (peer !== undefined) {
        if (verbose) yield `Connection received on ${peer}\n`
        return 0
      }
      yield* sleepUntil(process, system.clock.now() + LISTEN_MS)
    }
  } finally {
    void listener.close()
  }
}

function* nc(process: Process) {
  const { args, system } = process
  const { options, rest, number, version } = parse(args, 'wp')
  const verbose = options.has('v')
  if (options.has('l')) {
    const port = portOf(options.get('p') ?? rest.at(-1))
    if (port !== undefined) return yield* listen(process, port, verbose)
  }
  const [host, range] = rest
  const ports = portsOf(range)
  if (host === undefined || ports === undefined) {
    yield 'usage: nc [-46uvz] [-w SECONDS] HOST PORT[-PORT] | nc -l [-v] PORT\n'
    return 1
  }
  const protocol: Destination['protocol'] = options.has('u') ? 'udp' : 'tcp'
  let opened = 0
  for (const port of ports) {
    const sent = system.clock.now()
    const reached = yield* wait(system.network.reach({ host, version, protocol, port }))
    if (reached.result === 'unknown') {
      yield `nc: getaddrinfo for host "${host}" port ${port}: Name or service not known\n`
      return 1
    }
    const address = 'address' in reached ? reached.address : host
    if (reached.result === 'open') {
      opened++
      if (verbose) yield `Connection to ${address} ${port} port [${protocol}/*] succeeded!\n`
      continue
    }
    if (reached.result === 'lost') {
      yield* sleepUntil(process, sent + number('w', PATIENCE) * SECOND)
    }
    const why = {
      lost: 'Connection timed out',
      refused: 'Connection refused',
      'no network': 'Network is unreachable',
    }[reached.result]
    if (verbose) yield `nc: connect to ${address} port ${port} (${protocol}) failed: ${why}\n`
  }
  return opened > 0 ? 0 : 1
}

export const networkPrograms: Record<string, Program> = {
  nc: {
    usage: '[-46uvz] [-w SECONDS] HOST PORT',
    help: 'tries a port; nc -l PORT listens on one',
    run: nc,
  },
  ping: { usage: '[-4|-6] [-c COUNT] HOST', help: 'checks whether a host answers', run: ping },
}
