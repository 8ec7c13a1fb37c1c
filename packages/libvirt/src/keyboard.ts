/** The keys typed at the serial ports of machines. */
import type { Socket } from 'node:net'

/** A connection for keys is closed when no key was typed for this time. Milliseconds. */
const IDLE_MS = 5_000

export interface Keyboard {
  /** Resolves when the machine has taken the keys, or the connection has ended. */
  type: (keys: Uint8Array) => Promise<void>
  close: () => void
}

/**
 * Connects to the serial port of a machine.
 * @param connected a connection to its socket
 * @param over called when no more keys can be typed; with the reason after a failure
 */
export function openKeyboard(
  connected: Promise<Socket>,
  over: (failure?: Error) => void,
): Keyboard {
  let failure: Error | undefined
  let closed = false
  const close = (): void => {
    if (closed) return
    closed = true
    over()
    connected.then(
      (socket) => {
        // Keys that were typed are still sent; those that the machine does not take are dropped.
        socket.setTimeout(IDLE_MS, () => socket.destroy())
        socket.end()
      },
      () => {},
    )
  }
  const ready = connected.then(
    (socket) => {
      // QEMU waits for a client that does not read.
      socket.resume()
      socket.setTimeout(IDLE_MS)
      socket.on('timeout', () => {
        if (socket.writableLength === 0) close()
      })
      socket.on('error', (error) => void (failure = error))
      socket.on('close', () => {
        if (!closed) over(failure)
        closed = true
      })
      return socket
    },
    (error: unknown) => {
      if (!closed) over(error instanceof Error ? error : new Error(String(error)))
      closed = true
      return undefined
    },
  )
  return {
    async type(keys) {
      const socket = await ready
      await new Promise<void>((resolve) => {
        if (socket) socket.write(keys, () => resolve())
        else resolve()
      })
    },
    close,
  }
}
