/** PEM, as in RFC 7468. Text before, between and after the blocks is allowed, as in OpenSSL's files. */
import { base64ToUint8Array, uint8ArrayToBase64 } from 'uint8array-extras'

export interface PemBlock {
  /** `CERTIFICATE`, `PRIVATE KEY`… */
  label: string
  /** DER. */
  bytes: Uint8Array<ArrayBuffer>
}

const begin = /^-----BEGIN ([A-Z0-9 ]+)-----$/

function decode(base64: string): Uint8Array<ArrayBuffer> | undefined {
  // The letters of base64 in URLs are not those of PEM.
  if (/[-_]/.test(base64)) return undefined
  try {
    return base64ToUint8Array(base64)
  } catch {
    return undefined
  }
}

/**
 * The blocks of a text, in order; undefined if one is unterminated or not base64. Blocks in the old
 * encrypted format have headers and so are not base64.
 */
export function readPem(text: string): PemBlock[] | undefined {
  const blocks: PemBlock[] = []
  let open: { label: string; lines: string[] } | undefined
  for (const raw of text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/)) {
    const line = raw.trim()
    const started = begin.exec(line)
    if (open === undefined) {
      if (started) open = { label: started[1]!, lines: [] }
    } else if (line === `-----END ${open.label}-----`) {
      const bytes = decode(open.lines.join(''))
      if (!bytes) return undefined
      blocks.push({ label: open.label, bytes })
      open = undefined
    } else {
      open.lines.push(line)
    }
  }
  return open ? undefined : blocks
}

export function writePem({ label, bytes }: PemBlock): string {
  const lines = uint8ArrayToBase64(bytes).match(/.{1,64}/g) ?? []
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ''].join('\n')
}

export const CERTIFICATE_LABEL = 'CERTIFICATE'
