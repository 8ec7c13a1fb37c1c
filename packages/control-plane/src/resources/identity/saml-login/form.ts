/** The form in which a browser posts the answer of a provider. */
import { isRelativeUri, samlMessages } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import { Base64Error } from '../../../kernel/ports/base64.ts'
import type { Native } from '../../../kernel/ports/native.ts'

const utf8 = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes)

const refused = (message: (reason: string) => string, reason: string) =>
  fail.invalidRequest(message(reason))

export interface SamlForm {
  /** The XML of the response. */
  response: string
  relayState: string | undefined
}

/** @throws ApiError 400 */
export function readForm({ decodeBase64 }: Native, body: Uint8Array): SamlForm {
  let text: string
  try {
    text = utf8(body)
  } catch {
    throw refused(samlMessages.body, 'it is not UTF-8')
  }
  const form = new URLSearchParams(text)
  const [encoded, ...more] = form.getAll('SAMLResponse')
  if (encoded === undefined) throw refused(samlMessages.body, 'missing field `SAMLResponse`')
  if (more.length > 0) throw refused(samlMessages.body, 'duplicate field `SAMLResponse`')
  let bytes: Uint8Array
  try {
    // Some providers insert line breaks.
    bytes = decodeBase64(encoded.replaceAll(/[\r\n]/g, ''))
  } catch (error) {
    if (error instanceof Base64Error) throw refused(samlMessages.base64, error.message)
    throw error
  }
  try {
    return { response: utf8(bytes), relayState: form.get('RelayState') ?? undefined }
  } catch {
    throw refused(samlMessages.utf8, 'it has invalid bytes')
  }
}

/**
 * The page to open after signing in: from the relay state, or else the first page. A provider that
 * begins the sign-in may send any relay state.
 */
export function pageAfterSignIn({ decodeBase64 }: Native, relayState: string | undefined): string {
  try {
    const { redirect_uri: uri } = JSON.parse(utf8(decodeBase64(relayState ?? ''))) as {
      redirect_uri?: unknown
    }
    if (typeof uri === 'string' && isRelativeUri(uri)) return uri
  } catch {
    // Not a relay state of ours.
  }
  return '/'
}
