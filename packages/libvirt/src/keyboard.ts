/** The keys typed at the serial ports of machines. */
import { connect } from 'node:net'

/** A connection for keys is closed when no key was typed for this time. Milliseconds. */
const IDLE_MS = 5_000

export interface Keyboard {
  /** Resolves when the machine has taken the keys, or the connection has ended. */
  type: (keys: Uint8Array) => Promise<void>
  close: () => void
}

/**
 * Connects to the serial port of a machine.
 * @param over called when no more keys can be typed; with the reason after a failure
 */
export function openKeyboard(path: string, over: (failure?: Error) => void): Keyboard {
  const socket = connect(path)
  let failure: Error | undefined
  let closed = false
  const close = () => {
    if (closed) return
    closed = true
    over()
    // Keys that were typed are still sent; those that the machine does not take are dropped.
    socket.setTimeout(IDLE_MS, () => socket.destroy())
    socket.end()
  }
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
  return {
    type: (keys) => new Promise((resolve) => socket.write(keys, () => resolve())),
    close,
  }
}
