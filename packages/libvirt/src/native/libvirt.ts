/**
 * libvirt for a server. Its calls may wait for ever, for a daemon, a QEMU or a guest, and a thread
 * that waits in a library cannot be ended. So a separate process makes them. A process with a call
 * that has not ended in time is replaced, and killed after its other calls.
 */
import { type CallProcess, startCallProcess } from './call-process.ts'
import { AbandonedCall, LateCall, LibvirtError } from './errors.ts'
import {
  type Asked,
  callLimits,
  type CallLimits,
  type CallName,
  callRules,
  createLanes,
} from './lanes.ts'
import type { Disconnection, DomainEvent, Domains, Libvirt } from './types.ts'

export * from './types.ts'

interface OpenCall extends Asked {
  abandon: () => void
  /** Ends it as if its time had passed. */
  expire: () => void
}

/**
 * libvirt at an address such as `qemu:///session`. Connections are opened on demand.
 * @throws NotInstalled if it is not installed
 */
export async function openLibvirt(uri: string, limits: CallLimits = callLimits): Promise<Libvirt> {
  const listeners = new Set<(event: DomainEvent | Disconnection) => void>()
  const processes = new Set<CallProcess>()
  const queues = createLanes()
  /** The calls that somebody waits for. */
  const waiting = new Set<OpenCall>()
  /** The calls that have begun, also those that nobody waits for any more. */
  const running = new Set<OpenCall>()
  let closed = false

  const tell = (event: DomainEvent | Disconnection): void => {
    for (const listener of listeners) listener(event)
  }
  const start = (): CallProcess => {
    const process = startCallProcess(uri, tell)
    processes.add(process)
    void process.ended.then(() => {
      processes.delete(process)
      if (process === current) tell({ kind: 'disconnected' })
    })
    return process
  }
  let current = start()
  /** The process for the next call. */
  const present = (): CallProcess => {
    if (!current.isOpen()) current = start()
    return current
  }

  const call = (name: CallName, args: unknown[]): Promise<unknown> => {
    const { limit, ofDomain } = callRules[name]
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    /** Ends the call in its process. */
    let late = (): void => {}
    const asked: OpenCall = {
      name,
      domain: ofDomain ? (args[0] as string) : undefined,
      begin() {
        running.add(asked)
        const process = present()
        const { id, answer } = process.call(name, args)
        late = () => {
          process.retire(id)
          running.delete(asked)
          queues.remove(asked, true)
          // The events of its successor are needed.
          if (closed || process !== current) return
          present()
          tell({ kind: 'disconnected' })
        }
        const ended = () => {
          running.delete(asked)
          queues.remove(asked)
          settle()
        }
        void answer.finally(ended).then(resolve, reject)
      },
      fail(error) {
        settle()
        if (!asked.begun) queues.remove(asked)
        reject(error)
      },
      abandon() {
        if (!asked.begun) return asked.fail(new AbandonedCall())
        // It still occupies its place, until it ends or its time has passed.
        waiting.delete(asked)
        reject(new AbandonedCall())
      },
      expire() {
        const about = asked.domain === undefined ? '' : ` about ${asked.domain}`
        const passed = Math.round((performance.now() - since) / 100) / 10
        const reason = `libvirt has not ended the call “${name}”${about} within ${passed} s`
        asked.fail(new LateCall(reason))
        if (asked.begun) late()
      },
    }
    const since = performance.now()
    const timer = setTimeout(asked.expire, limits[limit])
    const settle = (): void => {
      clearTimeout(timer)
      waiting.delete(asked)
    }
    if (closed) {
      asked.fail(new LibvirtError('The connection to libvirt is closed', 0))
      return promise
    }
    waiting.add(asked)
    queues.add(asked)
    return promise
  }
  const calls = Object.fromEntries(
    (Object.keys(callRules) as CallName[]).map((name) => [
      name,
      (...args: unknown[]) => call(name, args),
    ]),
  ) as unknown as Pick<Domains, CallName>

  const abandon = (uuid?: string): void => {
    for (const asked of waiting) {
      const isEnd = callRules[asked.name].lane === 'end'
      if (uuid === undefined || (asked.domain === uuid && !isEnd)) asked.abandon()
    }
  }

  const close = async (): Promise<void> => {
    closed = true
    listeners.clear()
    abandon()
    await Promise.all([...processes].map((process) => process.close()))
  }

  try {
    await current.ready
  } catch (error) {
    await close()
    throw error
  }
  const isAbout = (name: keyof Domains, uuid: string) => (asked: OpenCall) =>
    asked.name === name && asked.domain === uuid

  return {
    ...calls,
    uri,
    abandon,
    isRunning: (name, uuid) => [...running].some(isAbout(name, uuid)),
    expire(name, uuid) {
      for (const asked of new Set([...waiting, ...running])) {
        if (isAbout(name, uuid)(asked)) asked.expire()
      }
    },
    subscribe(changed) {
      listeners.add(changed)
      return () => void listeners.delete(changed)
    },
    close,
  }
}
