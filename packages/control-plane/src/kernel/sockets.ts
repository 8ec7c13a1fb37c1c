import type { Actor } from './authz/actor.ts'

/** One end of a WebSocket, as the host gives it to the control plane. */
export interface Socket {
  /** Bytes go out as a binary frame, text as a text frame. */
  send: (data: Uint8Array | string) => void
  /** @param reason at most 123 bytes of text */
  close: (code?: number, reason?: string) => void
  /** Bytes accepted but not yet sent. */
  buffered: () => number
  /** Stops and continues reading frames of the client, where the transport can make it wait. */
  pause?: () => void
  resume?: () => void
}

/** The handler of a WebSocket; the host calls its functions. */
export interface SocketHandler {
  /**
   * Checks that a caller may use this socket; called again while it is open.
   * @throws ApiError if not
   */
  check: (actor: Actor) => Promise<void>
  open: (socket: Socket) => void
  /**
   * A binary frame.
   * @returns a promise that resolves once the other end has taken the bytes
   */
  message: (data: Uint8Array) => Promise<void> | void
  /**
   * Whether a binary frame comes from somebody who uses the session, which then does not expire;
   * absent if every frame does.
   */
  isUse?: (data: Uint8Array) => boolean
  /** A text frame. */
  text: (text: string) => void
  /** Buffered bytes were sent: `buffered` has become smaller. */
  sent: () => void
  closed: () => void
}
