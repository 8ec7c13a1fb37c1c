/** Servers of hosts without root, as processes of an ordinary user. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, type TestContext } from 'vitest'
import { until } from '../../../control-plane/test/support/things.ts'
import type { Rootless, RootlessHealth, RootlessOptions } from '../../src/index.ts'
import { parseStatus } from '../../src/status.ts'
import { environment, ordinaryUser, sources, type User } from './missing.ts'
import type { ServerAnswer, ServerCall } from './server.ts'

const program = join(import.meta.dirname, 'server.ts')

export interface Home {
  /** A directory of the user, for data and sockets. */
  path: string
  user: User | undefined
  /** A port that nothing else uses. */
  forwards: Forwards
}

type Forwards = RootlessOptions['forwards']

export async function freePort(): Promise<Forwards> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return { first: port, last: port }
}

type Finish = Pick<TestContext, 'onTestFinished'>

/** A home, whose host ends with the test. */
export async function makeHome({ onTestFinished }: Finish): Promise<Home> {
  const path = mkdtempSync(join(tmpdir(), 'steading-rootless-'))
  const user = ordinaryUser()
  mkdirSync(join(path, 'r'), { mode: 0o700 })
  if (user) for (const each of [path, join(path, 'r')]) chownSync(each, user.uid, user.gid)
  onTestFinished(async () => {
    await endHost(path)
    rmSync(path, { recursive: true, force: true })
  })
  return { path, user, forwards: await freePort() }
}

/** The directory with the sockets of the host of a home. */
export const runtimeOf = (path: string): string => join(path, 'data/host/runtime')

/** Whether a host runs. */
export const hostRuns = (path: string): boolean =>
  spawnSync('flock', ['-n', '-s', join(path, 'data/host/host.lock'), 'true']).status !== 0

async function endHost(path: string): Promise<void> {
  const status = join(runtimeOf(path), 'status')
  if (!existsSync(status)) return
  const { supervisor } = parseStatus(readFileSync(status, 'utf8'))
  if (isRunning(supervisor)) process.kill(supervisor)
  await until(
    async () => hostRuns(path),
    (runs) => expect(runs).toBe(false),
  )
}

export interface ServerProcess {
  call: <T>(name: ServerCall['name'], ...args: unknown[]) => Promise<T>
  open: (forwards?: Forwards) => Promise<HostFacts>
  health: () => Promise<RootlessHealth>
  run: (...command: string[]) => Promise<string>
  /** Kills the process and all others of its group. */
  kill: () => Promise<void>
}

export type HostFacts = Omit<Rootless, 'run' | 'feed' | 'health' | 'close' | 'end'>

/** @param source the module with the package */
export function startServer(
  { onTestFinished }: Finish,
  { path, user, forwards: usual }: Home,
  { source = sources, searchPath }: { source?: string; searchPath?: string } = {},
): ServerProcess {
  const options = environment(user, path)
  if (searchPath !== undefined) options.env.PATH = searchPath
  const child: ChildProcess = spawn(process.execPath, [program, path, source], {
    ...options,
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  })
  const ended = Promise.withResolvers<void>()
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  child.on('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error('the server has ended'))
    ended.resolve()
  })
  child.stdin!.on('error', () => {})
  createInterface({ input: child.stdout! }).on('line', (line) => {
    const answer = JSON.parse(line) as ServerAnswer
    const asked = waiting.get(answer.id)!
    waiting.delete(answer.id)
    if ('error' in answer) asked.reject(new Error(answer.error))
    else asked.resolve(answer.result)
  })
  let last = 0
  const call = <T>(name: ServerCall['name'], ...args: unknown[]): Promise<T> => {
    const id = ++last
    const answer = Promise.withResolvers<unknown>()
    waiting.set(id, answer)
    child.stdin!.write(`${JSON.stringify({ id, name, args } satisfies ServerCall)}\n`)
    return answer.promise as Promise<T>
  }
  const kill = () => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // All of it has ended.
    }
    return ended.promise
  }
  onTestFinished(kill)
  return {
    call,
    open: (forwards = usual) => call('open', forwards),
    health: () => call('health'),
    run: (...command) => call('run', ...command),
    kill,
  }
}

/** Whether a process runs. */
export function isRunning(pid: number): boolean {
  if (!existsSync(`/proc/${pid}/stat`)) return false
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}
