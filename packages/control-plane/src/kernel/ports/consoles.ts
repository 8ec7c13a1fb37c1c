import type { ConsolePlace } from '@steading/api/rules'

/** A stretch of serial console output. */
export interface ConsoleOutput {
  /** Identifies the boot; empty if there is no machine. */
  boot: string
  data: Uint8Array
  /** Offset since boot just after the last byte in `data`. */
  endOffset: number
}

/** A connection that shows a serial console. */
export interface ConsoleViewer {
  write: (data: Uint8Array) => void
  /**
   * Called before the first byte, and whenever the next byte does not follow the previous one:
   * after a boot, or when output was skipped.
   */
  resumeAt: (place: ConsolePlace) => void
  /** Bytes sent and not yet received; a viewer with many of them is sent no more. */
  pending: () => number
  close: (code?: number, reason?: string) => void
}

/**
 * The position where a viewer begins: a number of bytes back, at the boot, or at an earlier
 * position.
 */
export type ConsoleStart = { mostRecent: number | undefined } | ConsolePlace

/** A viewer's connection to a serial console. */
export interface ConsoleLine {
  /** Resolves once the machine has taken the keys, or the viewer has left. */
  type: (data: Uint8Array) => Promise<void>
  /** The viewer has received some of the pending bytes. */
  drained: () => void
  leave: () => void
}

/** The serial consoles of machines. */
export interface Consoles {
  /**
   * Output of the latest boot from an offset on, as far as it is kept. It is kept until the machine
   * is destroyed, even when the machine has stopped or failed.
   */
  read: (machineId: string, from: number, maxBytes?: number) => Promise<ConsoleOutput>
  /** Bytes of output since boot. */
  length: (machineId: string) => Promise<number>
  /**
   * Shows a console to a viewer from a position on. A viewer that does not keep up misses output,
   * and does not slow down the others. When the machine is at rest, the viewer is closed.
   */
  open: (machineId: string, start: ConsoleStart, viewer: ConsoleViewer) => ConsoleLine
}
