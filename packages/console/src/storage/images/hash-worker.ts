import { hashPieces } from './hash-pieces.ts'

/** Reads a file and answers its checksum, beside the upload of the same file. */
addEventListener('message', ({ data: file }: MessageEvent<Blob>) => {
  void hashPieces(file).then(
    (sha256) => postMessage({ sha256 }),
    () => postMessage({}),
  )
})
