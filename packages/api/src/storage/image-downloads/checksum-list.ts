/**
 * Lists of checksums, as they are published beside images: lines of sha256sum (`hash  name`) or of
 * BSD and OpenSSL (`SHA256 (name) = hash`, `SHA2-256(name)= hash`), also within a signed message,
 * or a hash alone.
 */
import { type ChecksumAlgorithm, checksumLengths } from './rules.ts'

export interface Checksum {
  algorithm: ChecksumAlgorithm
  /** Lower-case hexadecimal. */
  value: string
}

const algorithms = Object.keys(checksumLengths) as ChecksumAlgorithm[]

/** Characters of the shortest line with a checksum. */
const SHORTEST = Math.min(...Object.values(checksumLengths))

function checksumOf(hash: string): Checksum | undefined {
  const algorithm = algorithms.find((each) => checksumLengths[each] === hash.length)
  return algorithm && { algorithm, value: hash.toLowerCase() }
}

/** The name and the checksum in a line; undefined if it has none that is supported. */
function entryOf(line: string): { name: string; sum: Checksum } | undefined {
  // OpenSSL 3 writes SHA2-256.
  const bsd = /^SHA(?:2-)?(?:256|512) ?\((.+)\) ?= ?([0-9a-f]+)$/i.exec(line)
  const plain = bsd ?? /^([0-9a-f]+)(?:\s+\*?(.*))?$/i.exec(line)
  if (!plain) return undefined
  const [name = '', hash = ''] = bsd ? [bsd[1], bsd[2]] : [plain[2], plain[1]]
  const sum = checksumOf(hash)
  return sum && { name: name.replace(/^.*\//, ''), sum }
}

/**
 * The checksum of a file in a list, by the first of its names that is listed. The only entry of a
 * list counts whatever its name, because lists beside the newest version of a file have the name of
 * that version.
 */
export function checksumInList(list: string, names: readonly string[]): Checksum | undefined {
  const lines = list.split('\n').filter((line) => line.length >= SHORTEST)
  const entries = lines.flatMap((line) => entryOf(line.trim()) ?? [])
  const file = names.find((each) => entries.some(({ name }) => name === each))
  const named = entries.filter(({ name }) => name === file)
  const found = named.length > 0 ? named : entries.length === 1 ? entries : []
  // The stronger one, where a list has several of a file.
  return found.map(({ sum }) => sum).toSorted((a, b) => b.value.length - a.value.length)[0]
}

/** The name of the file at a URL. */
export function fileNameOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1)!
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
