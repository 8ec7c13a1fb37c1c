import type { ChecksumAlgorithm } from '@steading/api/rules'
import type { Digest } from './native.ts'

/** A file cannot be read from its address; the message is one of the contract. */
export class ImageSourceError extends Error {
  /** Whether another attempt may succeed. */
  readonly passing: boolean

  constructor(message: string, passing: boolean) {
    super(message)
    this.passing = passing
  }
}

/** The part of a file that is still to be read. */
export interface Resumption {
  /** First byte. */
  from: number
  /** Identifies the version of the file. */
  validator: string
}

/** A file whose bytes arrive. */
export interface OpenedFile {
  /** Bytes of the whole file; null if the server does not state them. */
  size: number | null
  /** Further names of the file, besides the one in the URL: from redirects and from the server. */
  names: readonly string[]
  /** Identifies this version of the file; null if the server cannot continue a cut connection. */
  validator: string | null
  /** The first byte that arrives: zero if the server starts over. */
  offset: number
  /**
   * The bytes, at the speed of their reader.
   * @throws ImageSourceError
   */
  bytes: AsyncIterable<Uint8Array>
  close: () => void
}

/**
 * Access to the addresses that users give for images. Only addresses of the public internet, and
 * of networks that the operator has allowed, are connected to.
 */
export interface ImageSources {
  /**
   * Opens the file at a URL, from its beginning or where an earlier connection was cut.
   * @param isChecked whether its checksum will be compared
   * @param signal cuts the connection
   * @throws ImageSourceError
   */
  open: (
    url: string,
    isChecked: boolean,
    signal: AbortSignal,
    resumption?: Resumption,
  ) => Promise<OpenedFile>
  /**
   * Reads a file of unknown size to its end, and keeps its bytes until it is closed.
   * @param limit the most bytes, and the error of a longer file
   * @param received called with the number of bytes, about once a second
   * @throws ImageSourceError, NoSpaceError, `limit.error`, or what `received` throws
   */
  hold: (
    file: OpenedFile,
    limit: { bytes: number; error: Error },
    received: (bytes: number) => Promise<void>,
  ) => Promise<OpenedFile & { size: number }>
  /**
   * Reads the text at a URL.
   * @throws ImageSourceError
   */
  text: (url: string, signal: AbortSignal) => Promise<string>
  digest: (algorithm: ChecksumAlgorithm) => Digest
  /** Aborted once the host is stopping; connections are then cut, and say nothing of the file. */
  closing: AbortSignal
  close: () => void
}
