/**
 * The log of a serial console, which libvirt writes. It begins a new file when the present one is
 * full, and keeps the full ones under numbers, the latest as 0.
 */
import { basename, dirname, join } from 'node:path'
import { ifMissing } from '@steading/files'
import { type FileCalls, fileCalls } from './file-systems/file-calls.ts'

/** The present file of a log, and the bytes of the log before it. */
export interface LogPlace {
  file: string | null
  start: number
}

/** A file of a log. */
interface Piece {
  path: string
  file: string
  start: number
  size: number
}

export interface ConsoleLog {
  pieces: Piece[]
  place: LogPlace
  /** Bytes of the log so far. */
  end: number
}

/** Bytes after which libvirt begins a new file, unless an operator has chosen another size. */
const FULL_FILE_BYTES = 2 * 1024 * 1024

/**
 * Looks at the files of a log.
 * @param known an earlier place in the log
 */
export async function readLog(
  path: string,
  known: LogPlace,
  calls: Pick<FileCalls, 'names' | 'find'> = fileCalls,
): Promise<ConsoleLog> {
  const name = basename(path)
  const identify = async (at: string): Promise<Omit<Piece, 'start'> | undefined> => {
    const found = await calls.find(at)
    return found && { path: at, file: found.id, size: found.size }
  }
  const names = await calls.names(dirname(path)).catch(ifMissing([] as string[]))
  const numbers = names
    .filter((other) => other.startsWith(`${name}.`) && /^\d+$/.test(other.slice(name.length + 1)))
    .map((other) => Number(other.slice(name.length + 1)))
    .toSorted((a, b) => b - a)
  const paths = [
    ...numbers.map((number) => join(dirname(path), `${name}.${number}`)),
    ...(names.includes(name) ? [path] : []),
  ]
  const found = (await Promise.all(paths.map(identify))).filter((piece) => piece !== undefined)
  const last = found.at(-1)
  if (!last) return { pieces: [], place: known, end: known.start }
  const at = found.findIndex(({ file }) => file === known.file)
  // If the known file is gone, so is an unknown number of bytes after it.
  let start = at >= 0 || known.file === null ? known.start : known.start + FULL_FILE_BYTES
  for (let index = 0; index < at; index++) start -= found[index]!.size
  const pieces = found.map((piece): Piece => {
    const its = { ...piece, start }
    start += piece.size
    return its
  })
  const present = pieces.at(-1)!
  return { pieces, place: { file: present.file, start: present.start }, end: start }
}

/**
 * Bytes of a log, as far as they are kept.
 * @returns the bytes, and the offset of the first one
 */
export async function readBytes(
  { pieces, end }: ConsoleLog,
  from: number,
  to: number = end,
  calls: Pick<FileCalls, 'readPart'> = fileCalls,
): Promise<{ data: Uint8Array; offset: number }> {
  const offset = Math.min(end, Math.max(from, pieces[0]?.start ?? end))
  const data = Buffer.alloc(Math.max(0, Math.min(to, end) - offset))
  let filled = 0
  for (const { path, start, size } of pieces) {
    const first = Math.max(offset + filled, start)
    const last = Math.min(offset + data.length, start + size)
    if (first >= last) continue
    const bytes = await calls.readPart(path, first - start, last - first)
    data.set(bytes, filled)
    filled += bytes.length
    // It has been replaced by the next file.
    if (bytes.length < last - first) break
  }
  return { data: data.subarray(0, filled), offset }
}
