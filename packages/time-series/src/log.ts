/**
 * The log of a head, for reading it again after a crash. It has a record for each append, with its
 * length and a checksum; the first incomplete record is the end of the log.
 */
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { Throttle } from '@steading/control-plane/ports'
import type { Datum, Histogram, SeriesKey } from '@steading/oxql'
import { copySparse, writeFully } from '@steading/files'
import { BadBytes, BitReader, BitWriter } from './bits.ts'
import { breathing } from './breathing.ts'
import { readColumn, writeColumn } from './column.ts'
import type { Head, HeadSeries } from './head.ts'
import { damagedName } from './names.ts'

const MAGIC = Buffer.from('STEADLG1')
const RECORD_HEADER = 8

/** First byte of an entry of a record: a new series id, or the parts of a sample. */
const SERIES = 0
const SAMPLE = 0x10
const KIND = { missing: 0, number: 1, histogram: 2 } as const
const START_SAME = 4
const START_NEW = 8

const double = new Float64Array(1)
const doubleBytes = new Uint8Array(double.buffer)

function writeDouble(out: BitWriter, value: number): void {
  double[0] = value
  for (let index = 0; index < 8; index++) out.byte(doubleBytes[index]!)
}

function readDouble(from: BitReader): number {
  doubleBytes.set(from.bytes(8))
  return double[0]!
}

function writeSigned(out: BitWriter, value: number): void {
  out.varint(value < 0 ? -2 * value - 1 : 2 * value)
}

function readSigned(from: BitReader): number {
  const value = from.varint()
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}

function writeHistogram(out: BitWriter, histogram: Histogram): void {
  const { bins, counts, min, max, sumOfSamples, squaredMean } = histogram
  out.varint(bins.length)
  out.varint(counts.length)
  writeColumn(out, bins)
  writeColumn(out, counts)
  for (const figure of [min, max, sumOfSamples, squaredMean]) writeDouble(out, figure)
}

function readHistogram(from: BitReader): Histogram {
  const [binCount, countCount] = [from.varint(), from.varint()]
  const bins = readColumn(from, binCount)
  const counts = readColumn(from, countCount)
  const min = readDouble(from)
  const max = readDouble(from)
  const sumOfSamples = readDouble(from)
  return { bins, counts, min, max, sumOfSamples, squaredMean: readDouble(from) }
}

/** Builds the record of an append. */
export class RecordWriter {
  readonly #out = new BitWriter(64 * 1024)
  #id = 0
  #time = 0

  clear(): void {
    this.#out.clear()
    for (let index = 0; index < RECORD_HEADER; index++) this.#out.byte(0)
    this.#id = 0
    this.#time = 0
  }

  get isEmpty(): boolean {
    return this.#out.length === RECORD_HEADER
  }

  series(series: HeadSeries): void {
    const { group, row } = series
    const text = Buffer.from(JSON.stringify([group.name, group.fieldsOf(row)]))
    this.#out.byte(SERIES)
    this.#out.varint(series.id)
    this.#out.varint(text.length)
    for (const byte of text) this.#out.byte(byte)
  }

  sample(
    series: HeadSeries,
    timestamp: number,
    startTime: number | undefined,
    datum: Datum | null,
  ): void {
    const out = this.#out
    const kind =
      datum === null ? KIND.missing : typeof datum === 'number' ? KIND.number : KIND.histogram
    const start =
      startTime === undefined ? 0 : startTime === series.startTime ? START_SAME : START_NEW
    out.byte(SAMPLE | kind | start)
    writeSigned(out, series.id - this.#id)
    writeSigned(out, timestamp - this.#time)
    this.#id = series.id
    this.#time = timestamp
    if (start === START_NEW) writeDouble(out, startTime!)
    if (kind === KIND.number) writeDouble(out, datum as number)
    else if (kind === KIND.histogram) writeHistogram(out, datum as Histogram)
  }

  finish(): Buffer {
    const record = Buffer.from(this.#out.toBytes().buffer)
    record.writeUInt32LE(record.length - RECORD_HEADER, 0)
    record.writeUInt32LE(crc32(record.subarray(RECORD_HEADER)), 4)
    return record
  }
}

/**
 * Replays a record into a head.
 * @param known series of earlier records by id
 */
function replayRecord(payload: Uint8Array, head: Head, known: Map<number, HeadSeries>): void {
  const from = new BitReader(payload)
  let id = 0
  let timestamp = 0
  while (!from.atEnd) {
    const tag = from.byte()
    if (tag === SERIES) {
      const number = from.varint()
      const text = Buffer.from(from.bytes(from.varint())).toString()
      const [name, fields] = JSON.parse(text) as [string, SeriesKey['fields']]
      const series = head.find({ name, fields }) ?? head.add({ name, fields }, undefined, number)
      series.logged = true
      known.set(number, series)
      continue
    }
    id += readSigned(from)
    timestamp += readSigned(from)
    const series = known.get(id)
    if (!series) throw new BadBytes('a sample is of no series')
    let startTime = tag & START_SAME ? series.startTime : undefined
    if (tag & START_NEW) startTime = series.startTime = readDouble(from)
    const kind = tag & 3
    const datum =
      kind === KIND.missing ? null : kind === KIND.number ? readDouble(from) : readHistogram(from)
    head.push(series, { timestamp, startTime, datum })
  }
}

/** Chunk size for reading. */
const READ_BYTES = 4 * 1024 * 1024

export class Log {
  #path: string
  readonly #file: FileHandle
  #size: number
  #synced: number

  private constructor(path: string, file: FileHandle, size: number) {
    this.#path = path
    this.#file = file
    this.#size = size
    this.#synced = size
  }

  /** Creates an empty log. */
  static async create(path: string): Promise<Log> {
    const file = await open(path, 'wx+', 0o600)
    try {
      await writeFully(file, MAGIC, 0)
    } catch (error) {
      await file.close()
      throw error
    }
    return new Log(path, file, MAGIC.length)
  }

  /**
   * Replays a log into a head, up to the first incomplete record, and truncates the rest. If
   * complete records follow, it was not the end left by a crash, and a copy is kept.
   * @param damaged called with the path of that copy
   */
  static async replay(path: string, head: Head, damaged: (path: string) => void): Promise<Log> {
    const file = await open(path, 'r+')
    try {
      const known = new Map<number, HeadSeries>()
      const { size: all } = await file.stat()
      const breathe = breathing()
      const { size, isDamaged } = await readRecords(file, all, (record) => {
        replayRecord(record, head, known)
        return breathe()
      })
      if (isDamaged) {
        await rm(damagedName(path), { force: true })
        await copySparse(path, damagedName(path))
        damaged(damagedName(path))
      }
      await file.truncate(size)
      if (size < MAGIC.length) await writeFully(file, MAGIC, 0)
      return new Log(path, file, Math.max(size, MAGIC.length))
    } catch (error) {
      await file.close()
      throw error
    }
  }

  get path(): string {
    return this.#path
  }

  get size(): number {
    return this.#size
  }

  /** Renames the file; durable once the directory is synced. */
  async rename(path: string): Promise<void> {
    await rename(this.#path, path)
    this.#path = path
  }

  get isSynced(): boolean {
    return this.#synced === this.#size
  }

  async append(record: Uint8Array): Promise<void> {
    try {
      await writeFully(this.#file, record, this.#size)
    } catch (error) {
      // The remains would corrupt a shorter record.
      await this.#file.truncate(this.#size).catch(() => {})
      throw error
    }
    this.#size += record.length
  }

  /**
   * Reads the whole file again and checks its checksums.
   * @param throttle awaited after each record, with its length
   * @returns whether it is intact
   */
  async check(throttle: Throttle): Promise<boolean> {
    const all = this.#size
    const { size } = await readRecords(this.#file, all, ({ length }) => throttle(length))
    return size === all
  }

  async sync(): Promise<void> {
    const size = this.#size
    await this.#file.datasync()
    this.#synced = Math.max(this.#synced, size)
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

/**
 * Reads the records of a log.
 * @returns the end of the last intact one, 0 for a file that is not a log; and whether an intact
 * one follows
 */
async function readRecords(
  file: FileHandle,
  size: number,
  visit: (payload: Uint8Array) => void | Promise<void>,
): Promise<{ size: number; isDamaged: boolean }> {
  const read = async (at: number, length: number): Promise<Buffer> => {
    const buffer = Buffer.alloc(Math.min(length, size - at))
    let done = 0
    while (done < buffer.length) {
      const { bytesRead } = await file.read(buffer, done, buffer.length - done, at + done)
      if (bytesRead === 0) break
      done += bytesRead
    }
    return buffer.subarray(0, done)
  }
  const magic = await read(0, MAGIC.length)
  if (!magic.equals(MAGIC)) return { size: 0, isDamaged: size > MAGIC.length }
  let at = MAGIC.length
  let window: Uint8Array = new Uint8Array()
  let windowAt = at
  const bytes = async (length: number): Promise<Buffer> => {
    if (at + length > windowAt + window.length) {
      windowAt = at
      window = await read(at, Math.max(length, READ_BYTES))
    }
    const { buffer, byteOffset } = window
    const begin = at - windowAt
    return Buffer.from(buffer, byteOffset + begin, Math.min(length, window.length - begin))
  }
  /** The next record: undefined at the end, and null for a checksum error. */
  const next = async () => {
    const header = await bytes(RECORD_HEADER)
    if (header.length < RECORD_HEADER) return undefined
    const length = header.readUInt32LE(0)
    const checksum = header.readUInt32LE(4)
    if (length === 0 || at + RECORD_HEADER + length > size) return undefined
    const payload = (await bytes(RECORD_HEADER + length)).subarray(RECORD_HEADER)
    if (payload.length < length) return undefined
    return { payload: crc32(payload) === checksum ? payload : null, length }
  }
  for (;;) {
    const record = await next()
    if (record?.payload) {
      await visit(record.payload)
      at += RECORD_HEADER + record.length
      continue
    }
    const end = at
    if (!record) return { size: end, isDamaged: false }
    at += RECORD_HEADER + record.length
    return { size: end, isDamaged: Boolean((await next())?.payload) }
  }
}
