import { uint8ArrayToBase64 } from 'uint8array-extras'
import type { ApiErrorBody, MethodName } from '@steading/api/client'
import { API_VERSION } from '@steading/api/rules'
import { signInFor } from '../../data/api.ts'
import { toApiError } from '../../data/errors.ts'
import { refusedSize } from './proxy-limit.ts'

/** Encodes bytes in Base64, natively if the browser can. */
export function toBase64(bytes: Uint8Array): string {
  const native = bytes as { toBase64?: () => string }
  return native.toBase64 ? native.toBase64() : uint8ArrayToBase64(bytes)
}

const encoder = new TextEncoder()

/** The JSON of a chunk as bytes, which browsers send fastest; Base64 needs no escaping. */
export function chunkBody(offset: number, base64: string): Uint8Array<ArrayBuffer> {
  const before = encoder.encode(`{"offset":${offset},"base64_encoded_data":"`)
  const after = encoder.encode('"}')
  const body = new Uint8Array(before.length + base64.length + after.length)
  body.set(before)
  encoder.encodeInto(base64, body.subarray(before.length))
  body.set(after, before.length + base64.length)
  return body
}

/**
 * Calls `diskBulkWriteImport` without the typed client, which would scan each body for keys to
 * rename and text to escape: uploads send hundreds of chunks per second.
 */
export const writeChunk = (
  disk: string,
  offset: number,
  base64: string,
  signal: AbortSignal,
): Promise<void> =>
  sendBytes('diskBulkWriteImport', `/v1/disks/${disk}/bulk-write`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: chunkBody(offset, base64),
    signal,
  })

/** Calls `disk_contents_write`, for larger chunks without encoding. */
export const writeRawChunk = (
  disk: string,
  offset: number,
  chunk: Blob,
  signal: AbortSignal,
): Promise<void> =>
  sendBytes('diskBulkWriteImport', `/x/v1/disks/${disk}/contents?offset=${offset}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream' },
    body: chunk,
    signal,
  })

/**
 * Sends a body that is not JSON; the typed client sends JSON only.
 * @throws ApiError, or ProxyLimitError if a proxy refuses the size of the body
 */
export async function sendBytes(
  operation: MethodName,
  path: string,
  init: RequestInit & { body: Blob | Uint8Array<ArrayBuffer> },
): Promise<void> {
  const headersSent = { ...init.headers, 'api-version': API_VERSION }
  const response = await fetch(path, { ...init, headers: headersSent })
  const { status, headers, ok } = response
  const text = await response.text()
  if (ok) return
  if (status === 401) {
    // Writing the same bytes again is idempotent, so no confirmation is needed.
    if (await signInFor(true)) return sendBytes(operation, path, init)
  }
  const data = errorBodyOf(text)
  if (status === 413 && !data.errorCode && !data.message) {
    throw refusedSize(init.body instanceof Blob ? init.body.size : init.body.length)
  }
  throw toApiError(operation, { type: 'error', status, headers, data })
}

/** The control plane's error; undefined if the response is from a proxy or the like. */
function errorBodyOf(text: string): ApiErrorBody {
  try {
    const { message, error_code, request_id } = JSON.parse(text) as Record<string, string>
    return { message, errorCode: error_code, requestId: request_id }
  } catch {
    return {}
  }
}
