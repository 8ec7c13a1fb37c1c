/** A process that calls libvirt, for the server that starts it. */
import { type ChildProcess, fork } from 'node:child_process'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LibvirtError } from './errors.ts'
import { type CallName, lanes } from './lanes.ts'
import { type CallMessage, fromSent, type ProcessMessage } from './messages.ts'
import type { Disconnection, DomainEvent } from './types.ts'

/** Beside the running modules, which a release has bundled. */
const program = fileURLToPath(
  new URL(`libvirt-calls${extname(import.meta.filename)}`, import.meta.url),
)

/** Threads besides those of the calls, of which one waits in libvirt's event loop. */
const SPARE_THREADS = 4
/** Time to load libvirt's library. Milliseconds. */
const READY_MS = 60_000
/** Time to close connections before the process is killed. Milliseconds. */
const CLOSE_MS = 2_000
/** Characters of the error output that are kept. */
const ERRORS_MAX = 2_000

/** The environment of libvirt, without the settings of this server and of Node. */
function environment(): NodeJS.ProcessEnv {
  const threads = Object.values(lanes).reduce((sum, { calls }) => sum + calls, SPARE_THREADS)
  const own = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('STEADING_') && !name.startsWith('NODE_'),
  )
  return { ...Object.fromEntries(own), UV_THREADPOOL_SIZE: String(threads) }
}

interface Pending {
  resolve: (result: unknown) => void
  reject: (error: Error) => void
}

export interface CallProcess {
  /** @throws NotInstalled if libvirt is not installed */
  ready: Promise<void>
  /** Whether it takes calls. */
  isOpen: () => boolean
  call: (name: CallName, args: unknown[]) => { id: number; answer: Promise<unknown> }
  /** For a call that does not end: the process takes no more calls, and is killed after the others. */
  retire: (id: number) => void
  /** Resolves when it has ended. */
  ended: Promise<void>
  close: () => Promise<void>
}

/** @param onEvent gets the changes of domains, until the process takes no more calls */
export function startCallProcess(
  uri: string,
  onEvent: (event: DomainEvent | Disconnection) => void,
): CallProcess {
  const child: ChildProcess = fork(program, [uri], {
    execArgv: [],
    env: environment(),
    serialization: 'advanced',
    // Its group, which has the `ssh` of its connections, is killed with it.
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const pending = new Map<number, Pending>()
  const opened = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  let next = 0
  let open = true
  let errors = ''
  // A process that nothing waits for does not keep the server running.
  child.unref()
  child.channel?.unref()
  const output = child.stderr!.setEncoding('utf8')
  output.on('data', (text: string) => void (errors = (errors + text).slice(-ERRORS_MAX)))
  ;(output as unknown as { unref: () => void }).unref()

  const kill = (): void => {
    open = false
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // All of its processes have ended.
    }
  }
  const timer = setTimeout(() => {
    opened.reject(new LibvirtError('The process that calls libvirt does not start', 0))
    kill()
  }, READY_MS)
  // The calls of a process that does not start fail with the same reason.
  opened.promise.then(
    () => clearTimeout(timer),
    () => clearTimeout(timer),
  )
  const lost = (cause?: Error): void => {
    open = false
    const detail = cause?.message ?? errors.trim().split('\n').at(-1) ?? ''
    const reason = `The process that calls libvirt has ended${detail === '' ? '' : `: ${detail}`}`
    opened.reject(new LibvirtError(reason, 0))
    for (const { reject } of pending.values()) reject(new LibvirtError(reason, 0))
    pending.clear()
    ended.resolve()
  }
  child.once('error', lost)
  child.once('exit', () => lost())
  /** Kills a process that takes no more calls, after the last of them. */
  const settle = (): void => {
    if (!open && pending.size === 0) kill()
  }
  child.on('message', (message: ProcessMessage) => {
    if ('ready' in message) return opened.resolve()
    if ('failed' in message) return opened.reject(fromSent(message.failed))
    if ('event' in message) return open ? onEvent(message.event) : undefined
    const call = pending.get(message.id)
    pending.delete(message.id)
    if ('error' in message) call?.reject(fromSent(message.error))
    else call?.resolve(message.result)
    settle()
  })

  return {
    ready: opened.promise,
    isOpen: () => open,
    call(name, args) {
      const id = next++
      const { promise: answer, resolve, reject } = Promise.withResolvers<unknown>()
      pending.set(id, { resolve, reject })
      child.send({ id, name, args } satisfies CallMessage, (error) => {
        if (error && pending.delete(id)) reject(new LibvirtError(error.message, 0))
      })
      return { id, answer }
    },
    retire(id) {
      open = false
      pending.delete(id)
      settle()
    },
    ended: ended.promise,
    async close() {
      open = false
      child.ref()
      const late = setTimeout(kill, CLOSE_MS)
      if (child.connected) child.send('close', () => {})
      else kill()
      await ended.promise
      clearTimeout(late)
    },
  }
}
