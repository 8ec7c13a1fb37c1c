import { CONSOLE_WINDOW, type ConsolePlace } from '@steading/api/rules'
import type { ConsoleLine, ConsoleStart, ConsoleViewer } from '../../kernel/ports/consoles.ts'
import { ConsoleBuffer } from './console-buffer.ts'

/** Boot ID of a machine for viewers. */
export const bootName = (id: string, boot: number): string => `${id}.${boot}`

/** Maximum frame size for a viewer in bytes. */
const FRAME_BYTES = 64 * 1024

/** A viewer, with the offset of its next byte. */
interface Watching {
  viewer: ConsoleViewer
  offset: number
}

/** Output of a machine at this server, and its local viewers. */
export class Console {
  readonly id: string
  buffer = new ConsoleBuffer()
  /** Number of reboots before this output. */
  boot: number
  /** Offset up to which the output is stored, and so may be shown. */
  written = 0
  /** Offset of the last stored row of output, if this server wrote it. */
  #rowStart = 0
  readonly #watching = new Set<Watching>()

  constructor(id: string, boot: number) {
    this.id = id
    this.boot = boot
  }

  get watched(): boolean {
    return this.#watching.size > 0
  }

  /** Offset of the most advanced viewer; undefined without viewers. */
  get furthest(): number | undefined {
    const offsets = [...this.#watching].map(({ offset }) => offset)
    return offsets.length === 0 ? undefined : Math.max(...offsets)
  }

  get #bootName(): string {
    return bootName(this.id, this.boot)
  }

  /** Replaces the known output by stored output. */
  restore(data: Uint8Array, endOffset: number): void {
    this.buffer = new ConsoleBuffer()
    this.buffer.append(data, endOffset - data.length)
    this.#rowStart = endOffset
    this.show(endOffset)
  }

  /**
   * The next row of output to store. It extends the last row until that is full.
   * @param maxBytes of new output
   */
  nextRow(maxBytes: number, fullBytes: number) {
    const { written, buffer } = this
    const isFull = written - this.#rowStart >= fullBytes
    if (isFull || this.#rowStart < buffer.start) this.#rowStart = Math.max(written, buffer.start)
    const offset = this.#rowStart
    const stored = Math.max(0, written - offset)
    const { data, endOffset } = buffer.read(offset, stored + maxBytes)
    return { row: { offset, data, stored }, endOffset }
  }

  /** Shows output up to an offset, once it has been stored. */
  show(written: number): void {
    this.written = written
    for (const watching of this.#watching) this.#pump(watching)
  }

  /** Clears the output, because the machine has rebooted. */
  reset(boot: number): void {
    this.buffer = new ConsoleBuffer()
    this.written = 0
    this.#rowStart = 0
    this.boot = boot
    for (const watching of this.#watching) {
      watching.offset = 0
      this.#tellPlace(watching)
    }
  }

  watch(start: ConsoleStart, viewer: ConsoleViewer): Pick<ConsoleLine, 'drained' | 'leave'> {
    const offset = Math.max(this.buffer.start, this.#startOf(start))
    const watching: Watching = { viewer, offset }
    this.#watching.add(watching)
    this.#tellPlace(watching)
    this.#pump(watching)
    return {
      drained: () => this.#watching.has(watching) && this.#pump(watching),
      leave: () => void this.#watching.delete(watching),
    }
  }

  /** Closes the connections of all viewers. */
  disconnect(reason: string): void {
    for (const { viewer } of this.#watching) viewer.close(1000, reason)
    this.#watching.clear()
  }

  /** Sends a viewer as much pending output as it accepts. */
  #pump(watching: Watching): void {
    const { viewer } = watching
    while (watching.offset < this.written && viewer.pending() < CONSOLE_WINDOW) {
      const from = Math.max(watching.offset, this.buffer.start)
      const { data, endOffset } = this.buffer.read(from, Math.min(FRAME_BYTES, this.written - from))
      if (from > watching.offset) viewer.resumeAt({ boot: this.#bootName, offset: from })
      watching.offset = endOffset
      viewer.write(data)
    }
  }

  #startOf(start: ConsoleStart): number {
    if ('mostRecent' in start) return this.written - (start.mostRecent ?? this.written)
    return start.boot === this.#bootName ? Math.min(start.offset, this.written) : 0
  }

  #tellPlace({ viewer, offset }: Watching): void {
    const place: ConsolePlace = { boot: this.#bootName, offset }
    viewer.resumeAt(place)
  }
}
