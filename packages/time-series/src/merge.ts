/** Merges consecutive segments into one, and downsamples old points. */
import type { FieldValue } from '@steading/oxql'
import { type Piece, PIECE_POINTS, pieceOf } from './head.ts'
import { datumAt, decodePoints, emptyPoints, fits, type Points, push } from './points.ts'
import {
  type PieceRef,
  pieceRefs,
  type Segment,
  type SegmentGroup,
  type SegmentWriter,
} from './segment.ts'
import { between } from './result.ts'
import { rowKey } from './series-group.ts'
import { downsample } from './downsample.ts'

/** Pieces of one series in one segment. */
interface Part {
  segment: Segment
  refs: PieceRef[]
}

interface Merged {
  name: string
  fields: readonly string[]
  values: FieldValue[]
  parts: Part[]
}

/** The present series of one segment, while those of several are walked. */
interface Cursor extends Part {
  key: string
  values: FieldValue[]
}

/** Series of a group of one segment, in the order of their keys. */
function* cursors(segment: Segment, entry: SegmentGroup): Generator<Cursor> {
  for (let row = 0; row < entry.group.rows; row++) {
    const refs = [...pieceRefs(entry, row)].filter(({ from }) => from < segment.until)
    if (refs.length === 0) continue
    const values = entry.group.valuesOf(row)
    yield { segment, refs, values, key: rowKey(values) }
  }
}

/** Series of all segments, by group, and sorted by values; one at a time is in memory. */
async function* mergedSeries(segments: readonly Segment[]): AsyncGenerator<Merged> {
  const tables = await Promise.all(segments.map((segment) => segment.table()))
  const damaged = segments.find(({ isDamaged }) => isDamaged)
  if (damaged) throw new DamagedSource(damaged.path)
  const groups = new Map<string, { name: string; fields: readonly string[] }>()
  for (const table of tables) {
    for (const { name, fields } of table.groups.all()) {
      groups.set(JSON.stringify([name, fields]), { name, fields })
    }
  }
  for (const key of [...groups.keys()].sort()) {
    const { name, fields } = groups.get(key)!
    let walked = tables.flatMap((table, index) => {
      const group = table.groups.find(name, fields)
      if (!group) return []
      const rest = cursors(segments[index]!, table.of(group))
      const { value: at } = rest.next()
      return at ? [{ rest, at }] : []
    })
    while (walked.length > 0) {
      const next = walked.reduce(
        (least, { at }) => (at.key < least.key ? at : least),
        walked[0]!.at,
      )
      const parts: Part[] = []
      for (const one of walked) {
        if (one.at.key === next.key) parts.push(one.at)
      }
      walked = walked.filter((one) => {
        if (one.at.key !== next.key) return true
        const { value: at } = one.rest.next()
        if (at) one.at = at
        return at !== undefined
      })
      // Restored points may be older than points written before them.
      parts.sort((a, b) => a.refs[0]!.from - b.refs[0]!.from)
      yield { name, fields, values: next.values, parts }
    }
  }
}

/** Collects the points of one series and encodes them in pieces. */
class PieceBuilder {
  readonly pieces: Piece[] = []
  #open: Points | undefined

  add(points: Points): void {
    for (let index = 0; index < points.timestamps.length; index++) {
      const datum = datumAt(points, index)
      const startTime = points.startTimes?.[index]
      let open = this.#open
      if (open && (open.timestamps.length >= this.#most(open) || !fits(open, startTime, datum))) {
        this.end()
        open = undefined
      }
      if (!open) {
        const histograms = datum === null ? !points.numbers : typeof datum !== 'number'
        this.#open = open = emptyPoints(startTime !== undefined, histograms)
      }
      push(open, points.timestamps[index]!, startTime, datum)
    }
  }

  #most({ histograms }: Points): number {
    if (!histograms) return PIECE_POINTS
    const numbers = histograms.find((datum) => datum !== null)?.counts.length ?? 0
    return Math.max(16, Math.min(PIECE_POINTS, Math.floor(16_384 / (numbers + 8))))
  }

  end(): void {
    if (this.#open) this.pieces.push(pieceOf(this.#open))
    this.#open = undefined
  }
}

/** A segment is damaged, so it must not be replaced. */
export class DamagedSource extends Error {}

export interface MergeOptions {
  /** Downsampling interval in milliseconds; 0 keeps all points. */
  interval: number
  /** Called often; long work yields here. */
  breathe: () => Promise<void>
}

/** Writes the points of consecutive segments to a new one, except points set aside. */
export async function merge(
  segments: readonly Segment[],
  writer: SegmentWriter,
  { interval, breathe }: MergeOptions,
): Promise<void> {
  for await (const { name, fields, values, parts } of mergedSeries(segments)) {
    const builder = new PieceBuilder()
    const thin = downsample(interval, (points) => builder.add(points))
    for (const { segment, refs } of parts) {
      for await (const bytes of segment.read(refs)) {
        if (!bytes) throw new DamagedSource(segment.path)
        thin.add(between(decodePoints(bytes), -Infinity, segment.until))
        await breathe()
      }
    }
    thin.end()
    builder.end()
    if (builder.pieces.length > 0) writer.add(name, fields, values, builder.pieces)
    await writer.relieve()
  }
}
