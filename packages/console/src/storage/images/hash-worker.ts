import { hashPieces } from './hash-pieces.ts'

/** Computes the checksum of a file, in parallel with its upload. */
addEventListener('message', ({ data: file }: MessageEvent<Blob>) => {
  void hashPieces(file).then(
    (sha256) => postMessage({ sha256 }),
    () => postMessage({}),
  )
})
