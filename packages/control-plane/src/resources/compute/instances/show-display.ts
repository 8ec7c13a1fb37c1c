import { DISPLAY_STALL_MS, DISPLAY_WINDOW, displayEndings } from '@steading/api/rules'
import type { DisplayStream } from '../../../kernel/ports/displays.ts'
import type { Socket } from '../../../kernel/sockets.ts'

/** Close codes, RFC 6455 section 7.4.1 and its registry. */
const NORMAL = 1000
const TRY_AGAIN_LATER = 1013

/** A screen that is shown on a WebSocket. */
export interface ShownDisplay {
  /** Passes on bytes of the viewer; resolves once the machine has taken them. */
  input: (data: Uint8Array) => Promise<void>
  /** The viewer has received some of the pending bytes. */
  drained: () => void
  /** The viewer is gone. */
  leave: () => void
}

/**
 * Shows a screen to a viewer. No more than a window of bytes is in transit: the machine's server of
 * the screen waits for its viewer. A viewer that takes nothing is closed.
 * @param stallMs how long a viewer may take nothing; milliseconds
 */
export function showDisplay(
  { readable, writable }: DisplayStream,
  socket: Socket,
  stallMs = DISPLAY_STALL_MS,
): ShownDisplay {
  const reader = readable.getReader()
  const writer = writable.getWriter()
  let over = false
  let stalled: ReturnType<typeof setTimeout> | undefined
  let resume = () => {}

  const leave = (): void => {
    if (over) return
    over = true
    clearTimeout(stalled)
    resume()
    // The connection may have failed already.
    reader.cancel().catch(() => {})
    writer.abort().catch(() => {})
  }
  const end = (code: number, reason: string): void => {
    if (over) return
    leave()
    socket.close(code, reason)
  }

  /** The time of a viewer that takes nothing begins. */
  const awaitViewer = (): void => {
    clearTimeout(stalled)
    stalled = setTimeout(() => end(TRY_AGAIN_LATER, displayEndings.slow), stallMs)
  }
  const room = (): Promise<void> =>
    new Promise((resolve) => {
      resume = resolve
      awaitViewer()
    })
  const pump = async (): Promise<void> => {
    while (!over) {
      const { value, done } = await reader.read()
      if (done || over) break
      socket.send(value)
      if (socket.buffered() > DISPLAY_WINDOW) await room()
    }
  }
  const ended = () => end(NORMAL, displayEndings.ended)
  // A connection that fails belongs to a machine that is gone.
  pump().then(ended, ended)
  writer.closed.then(ended, ended)

  return {
    // A failed write rejects `closed` too, which ends the display.
    input: (data) => (over ? Promise.resolve() : writer.write(data).catch(() => {})),
    drained() {
      if (stalled === undefined) return
      // A slow viewer still takes some.
      if (socket.buffered() > DISPLAY_WINDOW) return awaitViewer()
      clearTimeout(stalled)
      stalled = undefined
      resume()
    },
    leave,
  }
}
