/** What a server with real machines and networks costs while nobody uses it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { environment, ordinaryUser } from '../../packages/rootless/test/support/missing.ts'
import { hostRuns } from '../../packages/rootless/test/support/open-server.ts'
import { root } from '../processes.ts'
import { freePort, password, signIn } from './host.ts'

const VPCS = 10
/** Time in which the work of the start ends, and over which is measured. Milliseconds. */
const SETTLE_MS = 30_000
const REST_MS = 60_000
/** Work that goes on after so short a wait belongs to the same wake-up. Milliseconds. */
const APART_MS = 20
/** Clock ticks in a second, in which Linux counts processor time. */
const TICKS = 100

interface ThreadCounts {
  pid: number
  program: string
  thread: string
  /** How often it has waited for something, which ended. */
  waits: number
  ticks: number
}

const read = (...path: string[]): string => readFileSync(join('/proc', ...path), 'utf8')
const named = (status: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)![1])

/** A process and those that it has started. */
const processesOf = (pid: number): number[] => [
  pid,
  ...read(`${pid}/task/${pid}/children`)
    .trim()
    .split(' ')
    .filter((child) => child !== '')
    .flatMap((child) => processesOf(Number(child))),
]

/** What a process runs, without its paths. */
const programOf = (pid: number): string =>
  /[^/\0]+(?=\.[cm]?[jt]s)/.exec(read(`${pid}/cmdline`))?.[0] ?? read(`${pid}/comm`).trim()

const waitsOf = (pid: number, thread: number): number =>
  named(read(`${pid}/task/${thread}/status`), 'voluntary_ctxt_switches')

/** Counts how often main threads wake after a rest, until some time has passed. */
async function countWakeUps(pids: readonly number[]): Promise<Map<number, number>> {
  const counts = new Map(pids.map((pid) => [pid, 0]))
  const before = new Map(pids.map((pid) => [pid, { waits: waitsOf(pid, pid), isAwake: false }]))
  const end = performance.now() + REST_MS
  while (performance.now() < end) {
    await pause(APART_MS)
    for (const pid of pids) {
      const last = before.get(pid)!
      const waits = waitsOf(pid, pid)
      const isAwake = waits !== last.waits
      if (isAwake && !last.isAwake) counts.set(pid, counts.get(pid)! + 1)
      before.set(pid, { waits, isAwake })
    }
  }
  return counts
}

function countsOf(pid: number): Map<string, ThreadCounts> {
  const counts = new Map<string, ThreadCounts>()
  for (const id of processesOf(pid)) {
    const program = programOf(id)
    for (const task of readdirSync(`/proc/${id}/task`)) {
      // Behind the name, which may have spaces.
      const [, ...fields] = read(`${id}/task/${task}/stat`).split(') ').at(-1)!.split(' ')
      counts.set(task, {
        pid: id,
        program,
        thread: `${read(`${id}/task/${task}/comm`).trim()}${Number(task) === id ? ', main' : ''}`,
        waits: waitsOf(id, Number(task)),
        ticks: Number(fields[10]) + Number(fields[11]),
      })
    }
  }
  return counts
}

function print(name: string, waits: number, ticks: number, more = ''): void {
  const seconds = REST_MS / 1000
  const rate = (waits / seconds).toFixed(2).padStart(6)
  const share = ((100 * ticks) / TICKS / seconds).toFixed(2)
  console.log(`${name.padEnd(32)} ${rate} waits/s, ${share} % of a processor${more}`)
}

/** Starts a server of an ordinary user, and gives it VPCs. */
async function startServer(home: string): Promise<ChildProcess> {
  const [{ env, ...options }, port] = [environment(ordinaryUser(), home), await freePort()]
  const url = `http://127.0.0.1:${port}`
  const main = join(root, 'packages/node/src/main.ts')
  const data = join(home, 'data')
  const server = spawn(process.execPath, [main, '--port', String(port), '--data', data], {
    ...options,
    env: { ...env, STEADING_ADMIN_PASSWORD: password },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  while (!(await fetch(`${url}/v1/ping`).catch(() => undefined))?.ok) {
    if (server.exitCode !== null) throw new Error('the server did not start')
    await pause(50)
  }
  const cookie = await signIn(url)
  const create = async (path: string, body: object) => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
  }
  await create('/v1/projects', { name: 'shop', description: '' })
  for (let index = 0; index < VPCS; index++) {
    const name = `vpc-${index}`
    await create('/v1/vpcs?project=shop', { name, dns_name: name, description: '' })
  }
  return server
}

/** Prints the wake-ups, processor time and memory of a server with some VPCs. */
export async function atRestFigures(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'steading-bench-'))
  const runtime = join(home, 'r')
  mkdirSync(runtime, { mode: 0o700 })
  const user = ordinaryUser()
  if (user) for (const path of [home, runtime]) chownSync(path, user.uid, user.gid)
  const server = await startServer(home)
  try {
    await pause(SETTLE_MS)
    const before = countsOf(server.pid!)
    const wakeUps = await countWakeUps(processesOf(server.pid!))
    const after = countsOf(server.pid!)
    const since = [...after].map(([id, now]) => {
      const then = before.get(id)
      const { waits, ticks } = now
      return { ...now, waits: waits - (then?.waits ?? 0), ticks: ticks - (then?.ticks ?? 0) }
    })
    console.log(`a server at rest, with ${VPCS} VPCs`)
    for (const threads of Object.values(Object.groupBy(since, ({ pid }) => pid))) {
      const sum = (of: 'waits' | 'ticks') => threads!.reduce((total, one) => total + one[of], 0)
      const { pid, program } = threads![0]!
      const memory = Math.round(named(read(`${pid}/status`), 'VmRSS') / 1024)
      const perSecond = (1000 * (wakeUps.get(pid) ?? 0)) / REST_MS
      print(program, sum('waits'), sum('ticks'), `, ${memory} MiB`)
      console.log(`  its main thread wakes ${perSecond.toFixed(2)} times a second`)
      for (const { thread, waits, ticks } of threads!) {
        if (waits > 0 || ticks > 0) print(`  ${thread}`, waits, ticks)
      }
    }
  } finally {
    const ended = once(server, 'exit')
    server.kill()
    await ended
    // Without a server and a machine, the host ends.
    while (hostRuns(home)) await pause(100)
    rmSync(home, { recursive: true, force: true })
  }
}
