import { MiB } from '@steading/api/rules'
import { Sha256 } from '@steading/api/sha256'

const PIECE = 2 * MiB

/** Reads a file and answers its SHA-256, beside the upload of the same file. */
addEventListener('message', ({ data: file }: MessageEvent<Blob>) => {
  void hash(file).then(
    (sha256) => postMessage({ sha256 }),
    () => postMessage({}),
  )
})

async function hash(file: Blob): Promise<string> {
  const sum = new Sha256()
  for (let at = 0; at < file.size; at += PIECE) {
    sum.update(new Uint8Array(await file.slice(at, at + PIECE).arrayBuffer()))
  }
  return sum.digest()
}
