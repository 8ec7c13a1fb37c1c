/** Zip files in volumes, written and read as streams. */
import { concatUint8Arrays } from 'uint8array-extras'
import { streamOf } from '../../../kernel/download.ts'
import type { Volumes } from '../../../kernel/ports/volumes.ts'

/** Bytes per write. */
const WRITE_BYTES = 1024 * 1024

/** Loaded on first use, because servers rarely need it. */
const library = () => import('@zip.js/zip.js/lib/zip-core-custom.js')
const options = { useWebWorkers: false, useCompressionStream: true } as const

export interface ZipOutput {
  /** Adds a file. */
  add: (name: string, time: Date, contents: AsyncGenerator<Uint8Array>) => Promise<void>
  /** Bytes written so far. */
  size: () => number
  /**
   * Ends the file.
   * @returns its size in bytes
   */
  close: () => Promise<number>
}

/**
 * Writes a zip file to a volume.
 * @param throwIfEnded called before each write; throws to end the work
 */
export async function writeZip(
  volumes: Volumes,
  volumeId: string,
  throwIfEnded: () => Promise<void>,
): Promise<ZipOutput> {
  const { ZipWriter } = await library()
  let pending: Uint8Array[] = []
  let waiting = 0
  let offset = 0
  const flush = async () => {
    const data = concatUint8Arrays(pending)
    pending = []
    waiting = 0
    if (data.length === 0) return
    await throwIfEnded()
    await volumes.write(volumeId, offset, data)
    offset += data.length
  }
  const sink = new WritableStream<Uint8Array>({
    async write(piece) {
      // The library may reuse its buffer.
      pending.push(piece.slice())
      waiting += piece.length
      if (waiting >= WRITE_BYTES) await flush()
    },
    close: flush,
  })
  const zip = new ZipWriter(sink, options)
  return {
    async add(name, lastModDate, contents) {
      await zip.add(name, streamOf(contents), { lastModDate })
    },
    size: () => offset + waiting,
    async close() {
      await zip.close()
      return offset
    },
  }
}

/** A file inside of a zip file. */
export interface ZipEntry {
  name: string
  /** In bytes, uncompressed. */
  size: number
  /** Of its uncompressed bytes. */
  crc: number
  read: (start: number, end: number) => AsyncGenerator<Uint8Array>
}

/** The files of a zip file in a volume. */
export async function readZip(
  volumes: Volumes,
  volumeId: string,
  size: number,
): Promise<ZipEntry[]> {
  const { Reader, ZipReader } = await library()
  class VolumeReader extends Reader<string> {
    override size = size
    override readUint8Array(index: number, length: number) {
      return volumes.read(volumeId, index, Math.min(length, size - index))
    }
  }
  const entries = await new ZipReader(new VolumeReader(volumeId), options).getEntries()
  return entries.flatMap((entry) => {
    if (entry.directory) return []
    return {
      name: entry.filename,
      size: entry.uncompressedSize,
      crc: entry.crc32 ?? 0,
      async *read(start: number, end: number) {
        const given = new AbortController()
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
        // A range ends before the file does; the rest is then not read.
        const whole = entry.getData(writable, { signal: given.signal }).catch((error: unknown) => {
          if (!given.signal.aborted) throw error
        })
        whole.catch(() => {})
        const reader = readable.getReader()
        let at = 0
        try {
          for (;;) {
            const { value: piece, done: ended } = await reader.read()
            if (ended) break
            const part = piece.subarray(Math.max(0, start - at), Math.max(0, end - at))
            at += piece.length
            if (part.length > 0) yield part
            if (at >= end) return
          }
          await whole
        } finally {
          given.abort()
        }
      },
    }
  })
}
