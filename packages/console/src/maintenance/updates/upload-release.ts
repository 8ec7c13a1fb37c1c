import type { TufRepoUpload, UpdateUpload } from '@steading/api/client'
import { RAW_CHUNK_MAX } from '@steading/api/rules'
import { ALL_ITEMS, call } from '../../data/api.ts'
import { writeChunks } from '../../storage/images/upload-chunks.ts'
import { connectionLost, waitOnline } from '../../storage/images/upload-errors.ts'
import { sendBytes } from '../../storage/images/write-chunk.ts'

/** Milliseconds before an unanswered piece is sent again. */
const RETRY_MS = 2_000

type Progress = (sent: number) => void

/** An earlier upload of the same file, from any browser. */
async function begunBefore({ name, size }: File): Promise<UpdateUpload | undefined> {
  const { items } = await call('updateUploadList', { query: { limit: ALL_ITEMS } })
  return items.find((upload) => upload.fileName === name && upload.size === size)
}

/** Sends a piece, with retries while the control plane is unreachable. */
async function sendPiece(id: string, offset: number, piece: Blob, signal: AbortSignal) {
  for (;;) {
    try {
      return await sendBytes(
        'updateUploadFinish',
        `/x/v1/system/update/uploads/${id}/contents?offset=${offset}`,
        {
          method: 'PUT',
          headers: { 'content-type': 'application/octet-stream' },
          body: piece,
          signal,
        },
      )
    } catch (error) {
      if (signal.aborted || !connectionLost(error)) throw error
      await waitOnline(RETRY_MS, signal)
    }
  }
}

/**
 * Uploads a repository in pieces, and has it verified. Resumes an earlier upload.
 * @throws ApiError if it is refused; uploaded data then stays
 */
export async function uploadInPieces(
  file: File,
  onProgress: Progress,
  signal: AbortSignal,
): Promise<TufRepoUpload> {
  const upload =
    (await begunBefore(file)) ??
    (await call('updateUploadCreate', { body: { fileName: file.name, size: file.size } }))
  let sent = 0
  await writeChunks({
    file,
    written: upload.written,
    chunkSize: RAW_CHUNK_MAX,
    write: ({ offset, length }, _, stop) =>
      sendPiece(upload.id, offset, file.slice(offset, offset + length), stop),
    turn: async () => {},
    onProcessed: (bytes) => onProgress((sent += bytes)),
    signal,
  })
  return call('updateUploadFinish', { path: { uploadId: upload.id } })
}

/** Uploads a repository in one call, for control planes without support for pieces. */
export const uploadAtOnce = (file: File, signal: AbortSignal): Promise<void> =>
  sendBytes(
    'updateUploadFinish',
    `/v1/system/update/repositories?file_name=${encodeURIComponent(file.name)}`,
    {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: file,
      signal,
    },
  )
