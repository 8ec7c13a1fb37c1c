/** Fetches metadata from an administrator-supplied address. */
import type { IncomingMessage } from 'node:http'
import type { BlockList } from 'node:net'
import {
  identityProviderMessages as messages,
  SAML_METADATA_FETCH_MS,
  SAML_METADATA_MAX,
  SAML_METADATA_REDIRECTS,
} from '@steading/api/rules'
import { SamlError } from '@steading/control-plane/ports'
import { sendTo, targetOf } from '../public-request.ts'

const headers = [['accept', 'application/samlmetadata+xml, application/xml, text/xml']] as const

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > SAML_METADATA_MAX) {
      throw new SamlError(messages.text(`it has more than ${SAML_METADATA_MAX} bytes`))
    }
    chunks.push(chunk)
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch {
    throw new SamlError(messages.text('it is not UTF-8'))
  }
}

/**
 * Description of a connection problem. System messages are withheld, because they would reveal the
 * server's networks.
 */
function problemOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'no answer in time'
  const { code } = error as { code?: string }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'its host is not known'
  return code && /CERT|TLS|SSL|SIGNED/.test(code)
    ? 'the certificate of its host is not valid'
    : 'the connection failed'
}

async function fetchFrom(
  address: string,
  networks: BlockList | undefined,
  signal: AbortSignal,
  redirects: number,
): Promise<string> {
  if (!URL.canParse(address)) throw new SamlError(messages.query('it is not a URL'))
  const url = new URL(address)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new SamlError(messages.query('it is not a web address'))
  }
  const target = await targetOf(url, networks)
  if (!target) throw new SamlError(messages.query(messages.private))
  // An attacker who can modify metadata in transit can sign in as any user.
  if (url.protocol === 'http:' && !target.allowed) {
    throw new SamlError(messages.query('it must begin with https://'))
  }
  const response = await sendTo(url, target, { headers, signal })
  try {
    const { statusCode: status = 0, headers } = response
    if ([301, 302, 303, 307, 308].includes(status) && headers.location) {
      if (redirects === 0) throw new SamlError(messages.query('too many redirects'))
      if (!URL.canParse(headers.location, url))
        throw new SamlError(messages.query('it is not a URL'))
      const next = new URL(headers.location, url).href
      return await fetchFrom(next, networks, signal, redirects - 1)
    }
    if (status < 200 || status > 299) throw new SamlError(messages.status(status))
    return await textOf(response).catch((error: unknown) => {
      throw error instanceof SamlError
        ? error
        : new SamlError(messages.text(problemOf(error, signal)))
    })
  } finally {
    response.destroy()
  }
}

/**
 * @param networks allowed sources besides the public internet
 * @throws SamlError
 */
export async function fetchMetadata(
  url: string,
  networks?: BlockList,
  limitMs: number = SAML_METADATA_FETCH_MS,
): Promise<string> {
  const signal = AbortSignal.timeout(limitMs)
  const late = new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
  try {
    // Name resolution cannot be aborted.
    return await Promise.race([fetchFrom(url, networks, signal, SAML_METADATA_REDIRECTS), late])
  } catch (error) {
    throw error instanceof SamlError
      ? error
      : new SamlError(messages.query(problemOf(error, signal)))
  }
}
