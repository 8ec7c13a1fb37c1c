/** One end of a WebSocket, as the host gives it to the control plane. */
export interface Socket {
  send: (data: Uint8Array) => void
  /** @param reason at most 123 bytes of text */
  close: (code?: number, reason?: string) => void
  /** Bytes accepted but not yet on their way. */
  buffered: () => number
}

/** What the control plane does with a WebSocket; the host calls these. */
export interface SocketHandler {
  open: (socket: Socket) => void
  /** A binary frame. Text frames are not passed on. */
  message: (data: Uint8Array) => void
  closed: () => void
}
