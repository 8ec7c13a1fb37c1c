/** Opens a world of end points around an OVN, in namespaces that end with the test. */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Group, Probe, Report } from './endpoint.ts'
import type { Outside, Place, WorldOrder, WorldReport } from './world.ts'

/** All processes of a world end with the first one. */
const namespaces = '--net --mount --pid --fork --kill-child --mount-proc'.split(' ')

const programs = [
  'ovn-northd',
  'ovn-controller',
  'ovs-vswitchd',
  'ethtool',
  'ping',
  'ip',
  'nft',
  'unshare',
]

/** Why tests with an OVN cannot run here; undefined if they can. */
export function ovnMissing(): string | undefined {
  if (process.env.STEADING_WITHOUT_OVN) return process.env.STEADING_WITHOUT_OVN
  const missing = programs.filter(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
  )
  if (missing.length > 0) return `${missing.join(', ')} not found`
  if (process.getuid?.() !== 0) return 'only root can make the namespaces'
  if (!existsSync('/dev/net/tun')) return '/dev/net/tun not found'
  const { status, stderr } = spawnSync('unshare', ['--net', '--mount', '--pid', '--fork', 'true'])
  return status === 0 ? undefined : String(stderr).trim()
}

/** Ports on which every end point listens. */
export const PORTS = [22, 80, 443, 5432, 8080]

export interface World {
  /** Paths of the sockets of OVN's databases. */
  northbound: string
  southbound: string
  /** Path of the log of `ovn-controller`. */
  controllerLog: string
  place: (place: Place | Outside) => Promise<void>
  /** Runs a command in the namespace of OVN, and returns its output. */
  run: (...command: string[]) => Promise<string>
  /** Sends probes again and again, until they are forgotten. */
  send: (from: string, probes: readonly Probe[]) => void
  forget: (from: string, ids: readonly string[]) => void
  join: (at: string, group: Group) => void
  /** Packets to groups that end points have received: the id, ` at ` and the name of the end point. */
  heard: ReadonlySet<string>
  /** Ids of probes that have arrived, and of those that were answered. */
  arrived: ReadonlySet<string>
  answered: ReadonlySet<string>
  end: () => Promise<void>
  /** Resolves when a condition holds that is asked after each report. */
  until: (condition: () => boolean) => Promise<void>
}

/** @param room for the databases, in the words of `mount`: `4m` */
export async function openWorld({ room }: { room?: string } = {}): Promise<World> {
  const directory = await mkdtemp(join(tmpdir(), 'steading-ovn-'))
  const child = spawn(
    'unshare',
    [
      ...namespaces,
      process.execPath,
      join(import.meta.dirname, 'world.ts'),
      directory,
      PORTS.join(','),
      ...(room ? [room] : []),
    ],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  // Its end is reported by the process itself.
  child.stdin.on('error', () => {})
  const listeners = new Set<() => void>()
  const ready = new Set<string>()
  const arrived = new Set<string>()
  const answered = new Set<string>()
  const heard = new Set<string>()
  const outputs = new Map<number, { output: string; failed: boolean }>()
  let isUp = false
  let hasEnded = false
  const tell = () => {
    for (const listener of listeners) listener()
  }
  const hear = (from: string, report: Report) => {
    if ('ready' in report) ready.add(from)
    else if ('arrived' in report) arrived.add(report.arrived)
    else if ('heard' in report) heard.add(`${report.heard} at ${from}`)
    else answered.add(report.answered)
  }
  createInterface({ input: child.stdout }).on('line', (line) => {
    const report = JSON.parse(line) as WorldReport
    if ('up' in report) isUp = true
    else if ('ran' in report) outputs.set(report.ran, report)
    else hear(report.from, report.report)
    tell()
  })
  child.on('exit', () => {
    hasEnded = true
    tell()
  })
  const until = async (condition: () => boolean): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const look = () => {
      if (condition()) resolve()
      else if (hasEnded) reject(new Error('the world has ended'))
    }
    listeners.add(look)
    look()
    try {
      await promise
    } finally {
      listeners.delete(look)
    }
  }
  const order = (one: WorldOrder): void => void child.stdin.write(`${JSON.stringify(one)}\n`)
  let runs = 0
  await until(() => isUp)
  return {
    northbound: join(directory, 'run/ovnnb_db.sock'),
    southbound: join(directory, 'run/ovnsb_db.sock'),
    controllerLog: join(directory, 'log/controller.log'),
    async place(place) {
      order({ place })
      await until(() => ready.has(place.name))
    },
    async run(...command) {
      const id = ++runs
      order({ run: command, id })
      await until(() => outputs.has(id))
      const { output, failed } = outputs.get(id)!
      if (failed) throw new Error(`${command.join(' ')}: ${output}`)
      return output
    },
    send: (from, send) => order({ to: from, order: { send } }),
    forget: (from, forget) => order({ to: from, order: { forget } }),
    join: (to, join) => order({ to, order: { join } }),
    arrived,
    answered,
    heard,
    until,
    async end() {
      const { promise, resolve } = Promise.withResolvers<void>()
      child.once('exit', () => resolve())
      if (hasEnded) resolve()
      child.kill('SIGKILL')
      await promise
      await rm(directory, { recursive: true, force: true })
    },
  }
}
