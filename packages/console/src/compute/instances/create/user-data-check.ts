import {
  BYTE_ORDER_MARK,
  hasInterpreter,
  isEncodedUserData,
  USER_DATA_MAX,
  userDataFormat,
  userDataRemarks,
} from '@steading/api/rules'
import { useEffect, useState } from 'react'
import { loadPart } from '../../../ui/lazy-part.ts'
import type { Place, Remark } from './cloud-config.ts'

const PAUSE_MS = 300

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/**
 * A probable mistake in user data: an unknown format, a script without an interpreter, or a
 * cloud-config that is not YAML. Undefined for anything that only the guest can check.
 * @throws if the YAML parser cannot be loaded
 */
export async function userDataRemark(text: string): Promise<Remark | undefined> {
  // The limit has its own error, and the time to parse has no other bound.
  if (text === '' || bytesOf(text) > USER_DATA_MAX) return undefined
  if (text.startsWith(BYTE_ORDER_MARK)) return { message: userDataRemarks.mark, hasMark: true }
  switch (userDataFormat(text)) {
    case 'unknown':
      return {
        message: isEncodedUserData(text) ? userDataRemarks.base64 : userDataRemarks.unknown,
      }
    case 'script':
      return hasInterpreter(text)
        ? undefined
        : { message: userDataRemarks.noInterpreter, at: { line: 1, column: 3 } }
    case 'cloudConfig': {
      const { cloudConfigRemark } = await loadPart(() => import('./cloud-config.ts'))
      return cloudConfigRemark(text)
    }
    case 'other':
      return undefined
  }
}

/**
 * The bytes that gzip has packed, or enough of them to see that they are more than the maximum.
 * @throws TypeError if they are damaged
 */
async function unpack(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  const reader = unpacked.getReader()
  const parts: Uint8Array<ArrayBuffer>[] = []
  for (let size = 0; size <= USER_DATA_MAX;) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    size += value.length
  }
  await reader.cancel()
  return new Uint8Array(await new Blob(parts).arrayBuffer())
}

/** A file without the byte order mark that it begins with. */
export const withoutMark = (file: File): File =>
  new File([file.slice(bytesOf(BYTE_ORDER_MARK))], file.name, { type: file.type })

/** UTF-16 has a mark, or a zero in each character of ASCII. */
const isUtf16 = ([first, second, third, fourth]: Uint8Array): boolean =>
  (first === 0xff && second === 0xfe) ||
  (first === 0xfe && second === 0xff) ||
  (first === 0 && third === 0) ||
  (second === 0 && fourth === 0)

/** The remark about the bytes of a file, which cloud-init may unpack first. */
export async function userDataFileRemark(
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Remark | undefined> {
  if (bytes.length === 0 || bytes.length > USER_DATA_MAX) return undefined
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) {
    const unpacked = await unpack(bytes).catch(() => undefined)
    if (!unpacked) return { message: userDataRemarks.damaged }
    const remark = await userDataFileRemark(unpacked)
    // The mark is in the packed bytes.
    return remark && { message: remark.message }
  }
  if (isUtf16(bytes)) return { message: userDataRemarks.utf16 }
  const remark = await userDataRemark(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
  return remark && { ...remark, at: undefined }
}

/**
 * The offset of a position, for the selection of a text area.
 * @param text may have changed since it was checked; the nearest offset is returned then
 */
export function offsetOf(text: string, { line, column }: Place): number {
  let start = 0
  for (let passed = 1; passed < line; passed++) {
    const end = text.indexOf('\n', start)
    if (end < 0) return text.length
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  return Math.min(start + column - 1, end < 0 ? text.length : end)
}

/** The remark about a text or a file, after a short pause. The previous one stays until then. */
export function useUserDataRemark(data: string | File | null): Remark | undefined {
  const [remark, setRemark] = useState<Remark>()
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(() => {
      remarkOf(data).then(
        (next) => isCurrent && setRemark(next),
        // Without the parser, the data goes unchecked; the field reports an unreadable file.
        () => isCurrent && setRemark(undefined),
      )
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [data])
  return data ? remark : undefined
}

async function remarkOf(data: string | File | null): Promise<Remark | undefined> {
  if (!(data instanceof File)) return userDataRemark(data ?? '')
  // A large file is not read.
  if (data.size > USER_DATA_MAX) return undefined
  return userDataFileRemark(new Uint8Array(await data.arrayBuffer()))
}
