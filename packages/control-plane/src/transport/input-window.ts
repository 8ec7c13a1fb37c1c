import { INPUT_MAX, INPUT_STALL_MS, INPUT_WINDOW, inputEndings } from '@steading/api/rules'

/** Overhead that a frame counts besides its bytes, for the memory of its turn. */
const FRAME_BYTES = 256

export interface InputWindow {
  /**
   * Frames of some bytes have arrived.
   * @returns false if that is too much, and the client was refused
   */
  add: (bytes: number) => boolean
  /** A frame of some bytes has been taken at the other end. */
  take: (bytes: number) => void
  close: () => void
}

/**
 * Bounds the input of a socket that its other end has yet to take. The client waits while that is
 * more than a window. It is refused if nothing is taken for too long, or if it sends too much where
 * the transport cannot make it wait.
 * @param stallMs how long nothing may be taken while the client waits; milliseconds
 */
export function createInputWindow(
  client: { pause: () => void; resume: () => void; refuse: (reason: string) => void },
  stallMs = INPUT_STALL_MS,
): InputWindow {
  let waiting = 0
  /** Runs while the client waits. */
  let stalled: ReturnType<typeof setTimeout> | undefined

  const awaitProgress = () => {
    clearTimeout(stalled)
    stalled = setTimeout(() => client.refuse(inputEndings.stalled), stallMs)
  }
  return {
    add(bytes) {
      waiting += FRAME_BYTES + bytes
      if (waiting > INPUT_MAX) {
        client.refuse(inputEndings.flooding)
        return false
      }
      if (waiting > INPUT_WINDOW && stalled === undefined) {
        client.pause()
        awaitProgress()
      }
      return true
    },
    take(bytes) {
      waiting -= FRAME_BYTES + bytes
      if (stalled === undefined) return
      if (waiting > INPUT_WINDOW) return awaitProgress()
      clearTimeout(stalled)
      stalled = undefined
      client.resume()
    },
    close() {
      clearTimeout(stalled)
      stalled = undefined
    },
  }
}
