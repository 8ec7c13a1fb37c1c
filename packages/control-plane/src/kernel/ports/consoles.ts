import type { ConsolePlace } from '@steading/api/rules'

/** A stretch of serial console output. */
export interface ConsoleOutput {
  data: Uint8Array
  /** Bytes since boot, just after the last one in `data`. */
  endOffset: number
}

/** A connection that shows a serial console. */
export interface ConsoleViewer {
  write: (data: Uint8Array) => void
  /** Told before the first byte, and whenever the next is another: after a boot, or with some left out. */
  goOnAt: (place: ConsolePlace) => void
  /** Bytes that were written and have not been taken yet; a viewer with many gets no more. */
  pending: () => number
  close: (code?: number, reason?: string) => void
}

/** Where a viewer begins: so many bytes back, everything since boot, or where another look ended. */
export type ConsoleStart = { mostRecent: number | undefined } | ConsolePlace

/** What a viewer does at a serial console. */
export interface ConsoleLine {
  type: (data: Uint8Array) => void
  /** Some of what was pending has been taken. */
  drained: () => void
  leave: () => void
}

/** The serial consoles of machines. */
export interface Consoles {
  /** Output from an offset on (bytes since boot), clipped to what is kept. */
  read: (machineId: string, from: number, maxBytes?: number) => Promise<ConsoleOutput>
  /** Bytes of output since boot. */
  length: (machineId: string) => Promise<number>
  /**
   * Shows a console from here on. A viewer that does not keep up misses output, and holds up no
   * other. A machine that is gone closes the viewer.
   */
  open: (machineId: string, start: ConsoleStart, viewer: ConsoleViewer) => ConsoleLine
}
