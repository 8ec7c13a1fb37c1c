/**
 * Checksum of a file (`hashPieces`), computed in a worker. Undefined if it cannot be, which is no reason to refuse
 * an upload.
 */
export function hashFile(file: Blob, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' })
    const finish = (sha256?: string) => {
      worker.terminate()
      resolve(sha256)
    }
    worker.addEventListener('message', ({ data }) => finish((data as { sha256?: string }).sha256))
    worker.addEventListener('error', () => finish())
    signal.addEventListener('abort', () => finish(), { once: true })
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- workers have none
    worker.postMessage(file)
  })
}
