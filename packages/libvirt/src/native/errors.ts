/** Failures of calls to libvirt. */

/** An error of libvirt, with its message. */
export class LibvirtError extends Error {
  override name = 'LibvirtError'
  /** `virErrorNumber`. */
  readonly code: number

  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

/** Values of `virErrorNumber`. */
export const errorCodes = { operationInvalid: 55, noDomain: 42, noDomainMetadata: 80 } as const

/** A call did not end in its time. */
export class LateCall extends LibvirtError {
  override name = 'LateCall'

  constructor(message: string) {
    super(message, 0)
  }
}

/** The caller no longer waits for a call. */
export class AbandonedCall extends LibvirtError {
  override name = 'AbandonedCall'

  constructor() {
    super('The call to libvirt was abandoned', 0)
  }
}

/** A program or library that the engine needs is not on this host; the message is a sentence. */
export class NotInstalled extends Error {
  override name = 'NotInstalled'
}
