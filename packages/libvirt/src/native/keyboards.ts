/**
 * The keys typed at serial ports, on streams of libvirt. A stream stays open while somebody types,
 * because QEMU drops keys that it has not taken when it is closed. What the guest prints comes on it
 * as well; that is in the log already, so it is read and forgotten.
 */
import type { Calls } from './connection.ts'
import type { Pointer } from './library.ts'

/** A stream is closed when no key was typed for this time. Milliseconds. */
const IDLE_MS = 5_000
/** Interval at which the output is read. Milliseconds. */
const DRAIN_MS = 200
const PIECE_BYTES = 64 * 1024
/** A guest that prints more than this in an interval is not read further in it. Pieces. */
const PIECES_MAX = 32
const NONBLOCK = 1
/** What a call on such a stream returns instead of waiting. */
const WOULD_WAIT = -2

interface Keyboard {
  stream: bigint
  /** The calls of the connection of the stream. */
  calls: Calls
  /** By a monotonic clock. */
  used: number
  timer: ReturnType<typeof setTimeout> | undefined
  closed: boolean
}

export function createKeyboards() {
  const open = new Map<string, Keyboard>()

  const close = async (uuid: string, its: Keyboard): Promise<void> => {
    if (its.closed) return
    its.closed = true
    clearTimeout(its.timer)
    if (open.get(uuid) === its) open.delete(uuid)
    await its.calls.number('virStreamAbort', its.stream).catch(() => {})
    its.calls.local('virStreamFree', its.stream)
  }

  /** Reads what the guest has printed. @returns whether the stream is still open */
  const drain = async ({ calls, stream }: Keyboard): Promise<boolean> => {
    const piece = Buffer.allocUnsafeSlow(PIECE_BYTES)
    for (let count = 0; count < PIECES_MAX; count++) {
      const length = await calls.result('virStreamRecv', stream, piece, PIECE_BYTES)
      if (length === WOULD_WAIT) return true
      if (length <= 0) return false
    }
    return true
  }
  const drainOn = (uuid: string, its: Keyboard): void => {
    its.timer = setTimeout(() => {
      const isIdle = performance.now() - its.used > IDLE_MS
      void (isIdle ? Promise.resolve(false) : drain(its))
        .catch(() => false)
        .then((isOpen) => {
          if (its.closed) return
          if (isOpen) drainOn(uuid, its)
          else void close(uuid, its)
        })
    }, DRAIN_MS)
  }

  const openStream = async (calls: Calls, uuid: string, domain: bigint): Promise<Keyboard> => {
    const stream = await calls.pointer('virStreamNew', calls.connection as Pointer, NONBLOCK)
    try {
      await calls.number('virDomainOpenConsole', domain, null, stream, 0)
    } catch (error) {
      calls.local('virStreamFree', stream)
      throw error
    }
    const its: Keyboard = {
      stream: stream,
      calls,
      used: performance.now(),
      timer: undefined,
      closed: false,
    }
    open.set(uuid, its)
    drainOn(uuid, its)
    return its
  }

  return {
    /** @throws LibvirtError */
    async type(calls: Calls, uuid: string, domain: bigint, keys: Uint8Array): Promise<void> {
      let its = open.get(uuid)
      if (its && !(await drain(its).catch(() => false))) {
        await close(uuid, its)
        its = undefined
      }
      its ??= await openStream(calls, uuid, domain)
      its.used = performance.now()
      // Memory that does not move while libvirt reads it.
      const bytes = Buffer.allocUnsafeSlow(keys.length)
      bytes.set(keys)
      let sent = 0
      while (sent < bytes.length && !its.closed) {
        const rest = bytes.subarray(sent)
        const taken = await its.calls.result('virStreamSend', its.stream, rest, rest.length)
        if (taken === WOULD_WAIT) {
          await drain(its)
          await new Promise((resolve) => void setTimeout(resolve, DRAIN_MS / 10))
          continue
        }
        if (taken < 0) return close(uuid, its)
        sent += taken
      }
    },
    async close() {
      await Promise.all([...open].map(([uuid, its]) => close(uuid, its)))
    },
  }
}
