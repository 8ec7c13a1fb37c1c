/**
 * The screen of an instance at `/x/v1`: binary frames carry the bytes of RFB, the protocol of VNC
 * (RFC 6143), in both directions and in frames of any length.
 */

/** Bytes in transit to a viewer; a machine that draws more waits for it. */
export const DISPLAY_WINDOW = 1024 * 1024
/** A viewer that takes nothing for this time while bytes wait for it is closed. Milliseconds. */
export const DISPLAY_STALL_MS = 30_000

/** Most characters that the console types at once; a longer text is a file. */
export const DISPLAY_TYPED_MAX = 4096

/** Reasons for closing a viewer; at most 123 bytes each. */
export const displayEndings = {
  ended: 'the machine has ended its screen',
  slow: 'this viewer does not keep up with the screen',
} as const

/** `FramebufferUpdateRequest`: its type, and its length in bytes. */
const UPDATE_REQUEST = 3
const UPDATE_REQUEST_BYTES = 10

/**
 * Whether bytes of a viewer only ask for the next picture, which viewers do by themselves. Other
 * bytes come from somebody who uses the screen.
 */
export function onlyAsksForUpdates(data: Uint8Array): boolean {
  if (data.length === 0 || data.length % UPDATE_REQUEST_BYTES !== 0) return false
  for (let at = 0; at < data.length; at += UPDATE_REQUEST_BYTES) {
    if (data[at] !== UPDATE_REQUEST) return false
  }
  return true
}
