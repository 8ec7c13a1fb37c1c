/** A connection to the server of a screen. The bytes are RFB (RFC 6143), and pass unchanged. */
export interface DisplayStream {
  /** Ends when the machine is at rest. Bytes are fetched from the server as they are read. */
  readable: ReadableStream<Uint8Array>
  /** A write ends when the server is ready for more. */
  writable: WritableStream<Uint8Array>
}

/** The screens of machines. */
export interface Displays {
  /**
   * Connects one more viewer to the screen of a machine. Viewers share it: none ends another's
   * connection. Cancelling `readable` and aborting `writable` ends this one.
   * @throws DisplayUnavailable
   */
  open: (machineId: string) => Promise<DisplayStream>
  /**
   * The present picture, as PNG.
   * @throws DisplayUnavailable
   */
  screenshot: (machineId: string) => Promise<Uint8Array<ArrayBuffer>>
}

/** There is no screen at present. The message says why, in words for a user. */
export class DisplayUnavailable extends Error {
  override name = 'DisplayUnavailable'
}
