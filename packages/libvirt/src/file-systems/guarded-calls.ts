/**
 * Calls to the file systems of storage pools, and to the one that all hosts see. A call to one that is
 * dead, such as NFS whose server is gone, does not end, and would hold one of the few threads with
 * which a server reads all files. So each directory has a process for its calls: what it waits for
 * holds up nobody else, and it is killed when the file system is silent.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { dirname, extname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { storagePoolProblems } from '@steading/api/rules'
import { UnusablePoolError } from '@steading/control-plane/ports'
import { type FileCalls, fileCalls } from './file-calls.ts'
import { ProgramError, programEnvironment, runProgram } from '../volumes/run-program.ts'

/** Beside the running modules, which a release has bundled. */
const program = fileURLToPath(
  new URL(`file-calls-process${extname(import.meta.filename)}`, import.meta.url),
)

/** A file system that has not answered for this long is silent. Milliseconds. */
const SILENT_MS = 10_000
/** After this long, a call that has not ended is a reason to look at its file system. Milliseconds. */
const LATE_MS = 2_000
/** A process without calls ends after this long. Milliseconds. */
const IDLE_MS = 30_000

type CallName = keyof FileCalls

/** A call, for the process. */
export interface FileQuestion {
  id: number
  name: CallName
  args: unknown[]
}
/** The answer of the process. */
export type FileAnswer =
  | { id: number; result: unknown }
  | { id: number; error: string; code: string | undefined }

/** The file system of a directory: size and free bytes, or why they are not known. */
export type FileSystem = { size: number; free: number } | 'missing' | 'silent'

interface CallProcess {
  call: (name: CallName, args: unknown[]) => Promise<unknown>
  /** Ends it at once; its calls fail with the reason. */
  kill: (reason: Error) => void
}

async function measure(path: string): Promise<FileSystem> {
  try {
    const args = ['--file-system', '--format=%S %b %a', '--', path]
    const text = await runProgram('stat', args, { timeout: SILENT_MS })
    const [block, blocks, available] = text.trim().split(' ').map(Number)
    return { size: block! * blocks!, free: block! * available! }
  } catch (error) {
    if (error instanceof ProgramError && error.errors !== '') return 'missing'
    return 'silent'
  }
}

/** @param onEnd called when it takes no more calls */
function startProcess(onEnd: () => void): CallProcess {
  const child: ChildProcess = fork(program, {
    execArgv: [],
    env: programEnvironment(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const pending = new Map<number, PromiseWithResolvers<unknown>>()
  let next = 0
  let idle: ReturnType<typeof setTimeout> | undefined
  const end = (reason: Error): void => {
    clearTimeout(idle)
    onEnd()
    for (const { reject } of pending.values()) reject(reason)
    pending.clear()
  }
  const kill = (reason: Error): void => {
    child.kill('SIGKILL')
    end(reason)
  }
  // A process that nothing waits for does not keep the server running.
  const rest = (): void => {
    child.unref()
    child.channel?.unref()
    idle = setTimeout(() => kill(new Error('the process is not needed')), IDLE_MS)
    idle.unref()
  }
  child.on('error', end)
  child.once('exit', () => end(new Error('the process for the files of a directory has ended')))
  child.on('message', (answer: FileAnswer) => {
    const call = pending.get(answer.id)
    pending.delete(answer.id)
    if (pending.size === 0) rest()
    if ('result' in answer) return call?.resolve(answer.result)
    call?.reject(Object.assign(new Error(answer.error), { code: answer.code }))
  })
  return {
    call(name, args) {
      clearTimeout(idle)
      child.ref()
      child.channel?.ref()
      const id = next++
      const call = Promise.withResolvers<unknown>()
      pending.set(id, call)
      child.send({ id, name, args } satisfies FileQuestion, (error) => {
        if (error && pending.delete(id)) call.reject(error)
      })
      return call.promise
    },
    kill,
  }
}

export type GuardedCalls = ReturnType<typeof createGuardedCalls>

/** @param onSilence called with a directory whose file system does not answer */
export function createGuardedCalls(onSilence: (directory: string) => void = () => {}) {
  /**
   * Looks that have not ended, and when each began: a process that waits for a dead file system
   * cannot be ended, so there is one for each.
   */
  const pending = new Map<string, { looking: Promise<FileSystem>; since: number }>()
  /** Directories whose file system was silent at the last look. */
  const silent = new Set<string>()
  const processes = new Map<string, CallProcess>()

  const isSilent = (path: string): UnusablePoolError =>
    new UnusablePoolError(storagePoolProblems.silent(path))

  /** Looks at a file system in a process of its own. */
  async function look(path: string): Promise<FileSystem> {
    let begun = pending.get(path)
    if (!begun) {
      const looking = measure(path).finally(() => pending.delete(path))
      pending.set(path, (begun = { looking, since: performance.now() }))
    }
    const left = Math.max(0, begun.since + SILENT_MS - performance.now())
    const waiting = new AbortController()
    const found = await Promise.race([
      begun.looking,
      pause(left, 'silent' as const, { signal: waiting.signal }).catch(() => 'silent' as const),
    ])
    waiting.abort()
    if (found === 'silent') {
      silent.add(path)
      onSilence(path)
    } else silent.delete(path)
    return found
  }

  function callerFor(directory: string): CallProcess {
    const known = processes.get(directory)
    if (known) return known
    const caller = startProcess(() => {
      if (processes.get(directory) === caller) processes.delete(directory)
    })
    processes.set(directory, caller)
    return caller
  }

  /**
   * Waits for a file system, and looks at it from time to time.
   * @throws UnusablePoolError if it is silent
   */
  async function answered<T>(directory: string, work: Promise<T>): Promise<T> {
    const ended = new AbortController()
    const silence = async (): Promise<never> => {
      for (;;) {
        await pause(LATE_MS, undefined, { signal: ended.signal })
        if ((await look(directory)) === 'silent') throw isSilent(directory)
      }
    }
    try {
      return await Promise.race([work, silence()])
    } finally {
      ended.abort()
    }
  }

  /** @throws UnusablePoolError if the file system is silent, or the error of the call */
  async function call(directory: string, name: CallName, args: unknown[]): Promise<unknown> {
    if (silent.has(directory) && (await look(directory)) === 'silent') throw isSilent(directory)
    const caller = callerFor(directory)
    try {
      return await answered(directory, caller.call(name, args))
    } catch (error) {
      if (error instanceof UnusablePoolError) caller.kill(error)
      throw error
    }
  }

  /** The bytes of a file, which a process of its own reads. */
  async function* read(path: string): AsyncGenerator<Buffer> {
    const child = spawn('cat', ['--', path], {
      env: programEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => void (errors += text))
    const ended = once(child, 'close')
    // Thrown where it is awaited.
    ended.catch(() => {})
    const pieces = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>
    try {
      for (;;) {
        const piece = await answered(dirname(path), pieces.next())
        if (piece.done) break
        yield piece.value
      }
      const [status] = (await ended) as [number | null]
      if (status !== 0) throw new Error(`cannot read ${path}: ${errors.trim()}`)
    } finally {
      child.kill('SIGKILL')
    }
  }

  return {
    look,
    /** The bytes of the file system of a directory. @throws UnusablePoolError */
    async space(path: string): Promise<Exclude<FileSystem, string>> {
      const found = await look(path)
      if (typeof found === 'string') throw new UnusablePoolError(storagePoolProblems[found](path))
      return found
    },
    /**
     * The bytes of a file.
     * @throws UnusablePoolError if its file system becomes silent
     */
    read,
    /** The calls to the files in a directory, which fail with an `UnusablePoolError` if it is silent. */
    in: (directory: string): FileCalls =>
      Object.fromEntries(
        (Object.keys(fileCalls) as CallName[]).map((name) => [
          name,
          (...args: unknown[]) => call(directory, name, args),
        ]),
      ) as unknown as FileCalls,
    /** Ends all processes. */
    close(): void {
      for (const caller of processes.values()) caller.kill(new Error('the server is stopping'))
    },
  }
}
