import { type FieldValue, type Selection, type Series, TooManyPoints } from '@steading/oxql'
import type { Head } from './head.ts'
import { decodePoints, type Points, slicePoints } from './points.ts'
import { between, seriesOf } from './result.ts'
import { pieceRefs, type PieceRef, type Segment } from './segment.ts'
import { rowKey, type SeriesGroup } from './series-group.ts'

/** A series being read, in the order of its parts. */
interface Found {
  fields: Record<string, FieldValue>
  parts: Points[]
}

/**
 * Collects the points of a selection. A lower bound on their number is known before any is decoded,
 * so a selection with too many costs little.
 */
export class Reader {
  readonly #selection: Selection
  readonly #from: number
  readonly #to: number
  readonly #series = new Map<string, Found>()
  readonly #maxPoints: number
  /** Points that are certainly selected, before decoding, and decoded ones. */
  #sure = 0
  #added = 0

  constructor(selection: Selection, maxPoints: number) {
    this.#selection = selection
    this.#from = selection.from ?? -Infinity
    this.#to = selection.to ?? Infinity
    this.#maxPoints = maxPoints
  }

  overlaps({ from, to }: { from: number; to: number }): boolean {
    return from < this.#to && to >= this.#from
  }

  /** Counts a piece to be added, if its points are before a time. */
  #expect({ from, to, count }: Omit<PieceRef, 'offset' | 'length' | 'checksum'>, until: number) {
    if (from >= this.#from && to < Math.min(this.#to, until)) this.#sure += count
    if (this.#sure > this.#maxPoints) throw new TooManyPoints()
  }

  #found(group: SeriesGroup, row: number): Found {
    const values = group.valuesOf(row)
    const key = `${group.fields.length} ${rowKey([...group.fields, ...values])}`
    let found = this.#series.get(key)
    if (!found) this.#series.set(key, (found = { fields: group.fieldsOf(row), parts: [] }))
    return found
  }

  #add(found: Found, points: Points, until: number): void {
    const wanted = between(points, this.#from, Math.min(this.#to, until))
    if (wanted.timestamps.length === 0) return
    this.#added += wanted.timestamps.length
    if (this.#added > this.#maxPoints) throw new TooManyPoints()
    found.parts.push(wanted)
  }

  /**
   * Captures the current state of a head.
   * @param until excludes points from that time on
   * @returns function that adds the points, to be called after older parts
   */
  takeHead(head: Head, until: number): () => void {
    const { name, where } = this.#selection
    const taken: [SeriesGroup, number, (Uint8Array | Points)[]][] = []
    for (const group of head.groups.named(name)) {
      for (const row of group.matching(where)) {
        const series = head.seriesAt(group, row)
        const parts: (Uint8Array | Points)[] = []
        for (const piece of series.pieces) {
          if (!this.overlaps(piece) || piece.from >= until) continue
          this.#expect(piece, until)
          parts.push(piece.bytes)
        }
        if (series.open && series.last >= this.#from) {
          const points = between(series.open, this.#from, Math.min(this.#to, until))
          const { length } = points.timestamps
          if (length > 0) {
            const [from, to] = [points.timestamps[0]!, points.timestamps.at(-1)!]
            this.#expect({ from, to, count: length }, until)
            // The open points of a series keep growing.
            parts.push(points === series.open ? slicePoints(points, 0, length) : points)
          }
        }
        if (parts.length > 0) taken.push([group, row, parts])
      }
    }
    return () => {
      for (const [group, row, parts] of taken) {
        const found = this.#found(group, row)
        for (const part of parts) {
          this.#add(found, part instanceof Uint8Array ? decodePoints(part) : part, until)
        }
      }
    }
  }

  /**
   * Finds the pieces of a segment.
   * @returns function that reads and adds them
   */
  async takeSegment(segment: Segment, breathe: () => Promise<void>): Promise<() => Promise<void>> {
    const { name, where } = this.#selection
    const { until } = segment
    const refs: PieceRef[] = []
    const owners: [SeriesGroup, number][] = []
    for (const entry of (await segment.table()).named(name)) {
      for (const row of entry.group.matching(where)) {
        await breathe()
        for (const ref of pieceRefs(entry, row)) {
          if (!this.overlaps(ref) || ref.from >= until) continue
          this.#expect(ref, until)
          refs.push(ref)
          owners.push([entry.group, row])
        }
      }
    }
    return async () => {
      let index = 0
      for await (const bytes of segment.read(refs)) {
        const [group, row] = owners[index++]!
        if (bytes) this.#add(this.#found(group, row), decodePoints(bytes), until)
        await breathe()
      }
    }
  }

  /** @returns all series with points */
  *result(): Generator<Series> {
    for (const { fields, parts } of this.#series.values()) {
      // Restored points may be older than points written before them.
      parts.sort((a, b) => a.timestamps[0]! - b.timestamps[0]!)
      if (parts.length > 0) yield seriesOf(fields, parts)
    }
  }
}
