import { uint8ArrayToHex } from 'uint8array-extras'

/** A file of the build. */
export interface BuiltFile {
  url: string
  /** Size, uncompressed. */
  bytes: number
  sha256: string
}

/** A file of the demo is missing, or has other bytes than the build wrote. */
export class FileError extends Error {
  readonly kind: 'missing' | 'damaged'

  constructor(kind: FileError['kind'], url: string) {
    super(`the file ${url} is ${kind}`)
    this.kind = kind
  }
}

/**
 * Downloads a file of the build.
 * @param cache `reload` after a failure, which a stored copy of the file would repeat
 * @param progress called with the part of the file that has arrived, from 0 to 1
 * @throws FileError
 */
export async function download(
  { url, bytes, sha256 }: BuiltFile,
  cache: RequestCache,
  progress: (part: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url, { cache })
  if (!response.ok) throw new FileError('missing', url)
  const file = new Uint8Array(bytes)
  let arrived = 0
  const reader = response.body!.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    const { value } = next
    if (arrived + value.length > bytes) throw new FileError('damaged', url)
    file.set(value, arrived)
    arrived += value.length
    progress(arrived / bytes)
  }
  const digest = uint8ArrayToHex(new Uint8Array(await crypto.subtle.digest('SHA-256', file)))
  if (digest !== sha256) throw new FileError('damaged', url)
  return file
}
