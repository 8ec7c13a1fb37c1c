/**
 * A segment: an immutable file with pieces of points of many series. At its end are a table of the
 * series and their pieces, and a footer with the position of the table.
 */
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { crc32, deflateRaw, inflateRaw } from 'node:zlib'
import type { Throttle } from '@steading/control-plane/ports'
import type { FieldValue } from '@steading/oxql'
import { readInto, syncDirectory, writeFully } from '@steading/files'
import { BadBytes, BitReader, BitWriter } from './bits.ts'
import { breathing } from './breathing.ts'
import { readColumn, writeColumn } from './column.ts'
import type { Piece } from './head.ts'
import { untilOf } from './names.ts'
import { SeriesGroup, SeriesGroups } from './series-group.ts'

const MAGIC = Buffer.from('STEADSG1')
/** Length and checksum of the footer, which follow it. */
const TRAILER_BYTES = 8
const BUFFER_BYTES = 1024 * 1024
/** Pieces with smaller gaps are read at once. */
const GAP_BYTES = 32 * 1024
const READ_BYTES = 8 * 1024 * 1024

const deflate = promisify<Uint8Array, Buffer>(deflateRaw)
const inflate = promisify<Uint8Array, Buffer>(inflateRaw)

/** Contents of the footer. */
export interface SegmentFacts {
  table: { offset: number; length: number; checksum: number }
  /** Times of the first and of the last point. */
  from: number
  to: number
  points: number
  series: number
  /** Downsampling interval in milliseconds; 0 for original points. */
  interval: number
}

/** Pieces of a group's series; pieces of a row are adjacent. */
interface PieceColumns {
  /** Index of each row's first piece, and finally the total number. */
  first: number[]
  offset: number[]
  length: number[]
  checksum: number[]
  from: number[]
  to: number[]
  count: number[]
}

const noPieces = (): PieceColumns => ({
  first: [0],
  offset: [],
  length: [],
  checksum: [],
  from: [],
  to: [],
  count: [],
})

export interface SegmentGroup {
  group: SeriesGroup
  pieces: PieceColumns
}

/** Location of a piece. */
export interface PieceRef {
  offset: number
  length: number
  checksum: number
  from: number
  to: number
  count: number
}

export function* pieceRefs({ pieces }: SegmentGroup, row: number): Generator<PieceRef> {
  for (let index = pieces.first[row]!; index < pieces.first[row + 1]!; index++) {
    yield {
      offset: pieces.offset[index]!,
      length: pieces.length[index]!,
      checksum: pieces.checksum[index]!,
      from: pieces.from[index]!,
      to: pieces.to[index]!,
      count: pieces.count[index]!,
    }
  }
}

export class SegmentTable {
  readonly groups = new SeriesGroups()
  readonly #pieces = new Map<SeriesGroup, PieceColumns>()

  add(group: SeriesGroup, pieces: PieceColumns): void {
    this.groups.add(group)
    this.#pieces.set(group, pieces)
  }

  *named(name: string): Generator<SegmentGroup> {
    for (const group of this.groups.named(name)) yield this.of(group)
  }

  *all(): Generator<SegmentGroup> {
    for (const group of this.groups.all()) yield this.of(group)
  }

  of(group: SeriesGroup): SegmentGroup {
    return { group, pieces: this.#pieces.get(group)! }
  }

  /** Time of the last point of a series; -Infinity if it has none here. */
  lastOf(name: string, fields: readonly string[], values: readonly FieldValue[]): number {
    const group = this.groups.find(name, fields)
    if (!group) return -Infinity
    const row = group.sortedRowOf(values)
    if (row === undefined) return -Infinity
    const { first, to } = this.#pieces.get(group)!
    return to[first[row + 1]! - 1]!
  }
}

function writeText(out: BitWriter, text: string): void {
  const bytes = Buffer.from(text)
  out.varint(bytes.length)
  for (const byte of bytes) out.byte(byte)
}

const readText = (from: BitReader): string => Buffer.from(from.bytes(from.varint())).toString()

/** Columns of pieces that are stored directly. */
const stored = ['length', 'checksum', 'from', 'to', 'count'] as const

async function writeTable(
  groups: readonly SegmentGroup[],
  breathe: () => Promise<void>,
): Promise<Uint8Array> {
  const out = new BitWriter(64 * 1024)
  out.varint(groups.length)
  for (const { group, pieces } of groups) {
    writeText(out, JSON.stringify([group.name, group.fields, group.values]))
    out.varint(group.rows)
    for (const column of [...group.columns, pieces.first]) {
      await breathe()
      writeColumn(out, column)
    }
    const count = pieces.offset.length
    out.varint(count)
    out.varint(pieces.offset[0] ?? 0)
    for (const name of stored) {
      await breathe()
      writeColumn(out, pieces[name])
    }
  }
  return out.toBytes()
}

async function readTable(bytes: Uint8Array): Promise<SegmentTable> {
  const from = new BitReader(bytes)
  const table = new SegmentTable()
  const breathe = breathing()
  const column = async (count: number): Promise<number[]> => {
    await breathe()
    return readColumn(from, count)
  }
  for (let left = from.varint(); left > 0; left--) {
    const [name, fields, values] = JSON.parse(readText(from)) as [string, string[], FieldValue[][]]
    const rows = from.varint()
    const columns: number[][] = []
    while (columns.length < fields.length) columns.push(await column(rows))
    const first = await column(rows + 1)
    const count = from.varint()
    let offset = from.varint()
    const of = {} as Record<(typeof stored)[number], number[]>
    for (const name of stored) of[name] = await column(count)
    const offsets = of.length.map((bytesOf) => {
      offset += bytesOf
      return offset - bytesOf
    })
    table.add(new SeriesGroup(name, fields, values, columns, rows), {
      ...of,
      first,
      offset: offsets,
    })
  }
  return table
}

/** Writes a segment under a temporary name, and renames it when it is complete. */
export class SegmentWriter {
  readonly #path: string
  readonly #file: FileHandle
  readonly #interval: number
  readonly #groups = new Map<SeriesGroup, SegmentGroup>()
  readonly #byName = new SeriesGroups()
  #buffer: Uint8Array[] = []
  #buffered = 0
  #written = 0
  #from = Infinity
  #to = -Infinity
  #points = 0
  #series = 0

  private constructor(path: string, file: FileHandle, interval: number) {
    this.#path = path
    this.#file = file
    this.#interval = interval
    this.#put(MAGIC)
  }

  /** @param path temporary name of the file */
  static async create(path: string, interval: number): Promise<SegmentWriter> {
    await rm(path, { force: true })
    return new SegmentWriter(path, await open(path, 'wx', 0o600), interval)
  }

  #put(bytes: Uint8Array): void {
    this.#buffer.push(bytes)
    this.#buffered += bytes.length
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#buffer)
    this.#buffer = []
    this.#buffered = 0
    await writeFully(this.#file, bytes, this.#written)
    this.#written += bytes.length
  }

  /**
   * Adds a series with at least one piece. All series of a group must be consecutive, in the order of
   * their `rowKey`.
   */
  add(
    name: string,
    fields: readonly string[],
    values: readonly FieldValue[],
    added: readonly Piece[],
  ): void {
    const group = this.#byName.group(name, fields)
    let entry = this.#groups.get(group)
    if (!entry) this.#groups.set(group, (entry = { group, pieces: noPieces() }))
    const { pieces } = entry
    group.add(values)
    for (const piece of added) {
      pieces.offset.push(this.#written + this.#buffered)
      pieces.length.push(piece.bytes.length)
      pieces.checksum.push(piece.crc)
      pieces.from.push(piece.from)
      pieces.to.push(piece.to)
      pieces.count.push(piece.count)
      this.#put(piece.bytes)
      if (piece.from < this.#from) this.#from = piece.from
      if (piece.to > this.#to) this.#to = piece.to
      this.#points += piece.count
    }
    pieces.first.push(pieces.offset.length)
    this.#series++
  }

  get isEmpty(): boolean {
    return this.#series === 0
  }

  /** Writes the buffer if it is large enough. */
  async relieve(): Promise<void> {
    if (this.#buffered >= BUFFER_BYTES) await this.#flush()
  }

  /** Completes the file durably, and renames it. */
  async finish(path: string, breathe: () => Promise<void>): Promise<void> {
    const table = await deflate(await writeTable([...this.#groups.values()], breathe))
    const offset = this.#written + this.#buffered
    this.#put(table)
    const facts: SegmentFacts = {
      table: { offset, length: table.length, checksum: crc32(table) },
      from: this.#from,
      to: this.#to,
      points: this.#points,
      series: this.#series,
      interval: this.#interval,
    }
    const footer = Buffer.from(JSON.stringify(facts))
    const trailer = Buffer.alloc(TRAILER_BYTES)
    trailer.writeUInt32LE(footer.length, 0)
    trailer.writeUInt32LE(crc32(footer), 4)
    this.#put(footer)
    this.#put(trailer)
    await this.#flush()
    await this.#file.datasync()
    await this.#file.close()
    await rename(this.#path, path)
    await syncDirectory(dirname(path))
  }

  /** Removes the unfinished file. */
  async abandon(): Promise<void> {
    await this.#file.close().catch(() => {})
    await rm(this.#path, { force: true })
  }
}

async function readExactly(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  await readInto(file, bytes, at)
  return bytes
}

async function readFacts(file: FileHandle): Promise<{ facts: SegmentFacts; size: number }> {
  const { size } = await file.stat()
  if (size < MAGIC.length + TRAILER_BYTES) throw new BadBytes('the file is too short')
  const magic = await readExactly(file, 0, MAGIC.length)
  if (!magic.equals(MAGIC)) throw new BadBytes('the file is not a segment')
  const trailer = await readExactly(file, size - TRAILER_BYTES, TRAILER_BYTES)
  const length = trailer.readUInt32LE(0)
  if (length > size - MAGIC.length - TRAILER_BYTES) throw new BadBytes('the footer is damaged')
  const footer = await readExactly(file, size - TRAILER_BYTES - length, length)
  if (crc32(footer) !== trailer.readUInt32LE(4)) throw new BadBytes('the footer is damaged')
  return { facts: JSON.parse(footer.toString()) as SegmentFacts, size }
}

export class Segment {
  #path: string
  #until: number
  readonly facts: SegmentFacts
  readonly size: number
  readonly #file: FileHandle
  readonly #damaged: (segment: Segment) => void
  #isDamaged = false
  #table: Promise<SegmentTable> | undefined
  #users = 0
  #retired = false

  private constructor(
    path: string,
    file: FileHandle,
    { facts, size }: { facts: SegmentFacts; size: number },
    damaged: (segment: Segment) => void,
  ) {
    this.#path = path
    this.#until = untilOf(path)
    this.#file = file
    this.facts = facts
    this.size = size
    this.#damaged = damaged
  }

  /**
   * @param damaged called when a part turns out to be damaged, which is then omitted
   * @throws BadBytes if the file cannot be a complete segment
   */
  static async open(path: string, damaged: (segment: Segment) => void): Promise<Segment> {
    const file = await open(path, 'r')
    try {
      return new Segment(path, file, await readFacts(file), damaged)
    } catch (error) {
      await file.close()
      throw error
    }
  }

  get path(): string {
    return this.#path
  }

  /** Points from this time on are set aside as points of the future; Infinity if there are none. */
  get until(): number {
    return this.#until
  }

  /** Renames the file; durable once the directory is synced. */
  async rename(path: string): Promise<void> {
    await rename(this.#path, path)
    this.#path = path
    this.#until = untilOf(path)
  }

  /** The table is cached until it is released. */
  table(): Promise<SegmentTable> {
    this.#table ??= this.#readTable().catch((error: unknown) => {
      // The next call retries.
      this.#table = undefined
      throw error
    })
    return this.#table
  }

  /** Whether damage is known. The file then remains unchanged, for repairs. */
  get isDamaged(): boolean {
    return this.#isDamaged
  }

  #foundDamage(): void {
    this.#isDamaged = true
    this.#damaged(this)
  }

  forgetTable(): void {
    this.#table = undefined
  }

  async #readTable(): Promise<SegmentTable> {
    const { offset, length, checksum } = this.facts.table
    const bytes = await readExactly(this.#file, offset, length)
    if (crc32(bytes) !== checksum) {
      this.#foundDamage()
      return new SegmentTable()
    }
    return readTable(await inflate(bytes))
  }

  /**
   * Bytes of pieces in order of offset; undefined for damaged ones. Pieces with small gaps are read
   * together.
   */
  async *read(refs: readonly PieceRef[]): AsyncGenerator<Uint8Array | undefined> {
    for (let begin = 0; begin < refs.length;) {
      const start = refs[begin]!.offset
      let stop = start + refs[begin]!.length
      let end = begin + 1
      for (; end < refs.length; end++) {
        const { offset, length } = refs[end]!
        if (offset < stop || offset - stop > GAP_BYTES) break
        if (offset + length - start > READ_BYTES) break
        stop = offset + length
      }
      const bytes = await readExactly(this.#file, start, stop - start)
      for (; begin < end; begin++) {
        const { offset, length, checksum } = refs[begin]!
        const piece = bytes.subarray(offset - start, offset - start + length)
        const isWhole = crc32(piece) === checksum
        if (!isWhole) this.#foundDamage()
        yield isWhole ? piece : undefined
      }
    }
  }

  /**
   * Reads the whole file and checks its checksums.
   * @param throttle awaited after each piece, with its length
   * @returns whether it is intact
   */
  async check(throttle: Throttle): Promise<boolean> {
    let table: SegmentTable
    try {
      await readFacts(this.#file)
      table = await this.#readTable()
    } catch (error) {
      if (!(error instanceof BadBytes)) throw error
      this.#foundDamage()
      return false
    }
    await throttle(this.facts.table.length)
    for (const entry of table.all()) {
      const refs: PieceRef[] = []
      for (let row = 0; row < entry.group.rows; row++) refs.push(...pieceRefs(entry, row))
      for await (const bytes of this.read(refs)) await throttle(bytes?.length ?? 0)
    }
    return !this.#isDamaged
  }

  /** Keeps the file open until it is released, even if the segment is retired meanwhile. */
  use(): void {
    this.#users++
  }

  async release(): Promise<void> {
    this.#users--
    await this.#closeIfUnused()
  }

  /** Closes the file once nothing uses it. */
  async retire(): Promise<void> {
    this.#retired = true
    await this.#closeIfUnused()
  }

  async #closeIfUnused(): Promise<void> {
    if (this.#retired && this.#users === 0) await this.#file.close()
  }
}
