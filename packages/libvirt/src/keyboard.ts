import { connect } from 'node:net'

/** A connection for keys is closed when no key was typed for this time. Milliseconds. */
const IDLE_MS = 5_000

/** The keys typed at a machine. */
export interface Keyboard {
  /** Ends when the machine has taken the keys, or the connection has ended. */
  type: (keys: Uint8Array) => Promise<void>
  close: () => void
}

/**
 * Connects to the serial port of a machine.
 * @param over no more keys can be typed; with the reason if that is a failure
 */
export function openKeyboard(path: string, over: (failure?: Error) => void): Keyboard {
  const socket = connect(path)
  let failure: Error | undefined
  let closed = false
  const close = () => {
    if (closed) return
    closed = true
    over()
    // Typed keys still go out; what the machine does not take is dropped.
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
