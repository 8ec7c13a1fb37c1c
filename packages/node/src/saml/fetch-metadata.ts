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
import type { Reach } from '../outgoing/addresses.ts'
import { faultOfHost } from '../outgoing/faults.ts'
import { fetchFrom, type Refusal, RefusedRequest, untilAborted } from '../outgoing/request.ts'

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

const refusals: Record<Refusal, string> = {
  not_url: 'it is not a URL',
  scheme: 'it is not a web address',
  closed: messages.private,
  redirects: 'too many redirects',
}

async function fetchText(address: string, reach: Reach, signal: AbortSignal): Promise<string> {
  const { response } = await fetchFrom(address, {
    headers,
    signal,
    reach,
    redirects: SAML_METADATA_REDIRECTS,
    permit({ protocol }, { allowed }) {
      // An attacker who can modify metadata in transit can sign in as any user.
      if (protocol === 'http:' && !allowed) {
        throw new SamlError(messages.query('it must begin with https://'))
      }
    },
  }).catch((error: unknown) => {
    if (!(error instanceof RefusedRequest)) throw error
    throw new SamlError(messages.query(refusals[error.refusal]))
  })
  try {
    const { statusCode: status = 0 } = response
    if (status < 200 || status > 299) throw new SamlError(messages.status(status))
    return await textOf(response).catch((error: unknown) => {
      throw error instanceof SamlError
        ? error
        : new SamlError(messages.text(faultOfHost(error, signal)))
    })
  } finally {
    response.destroy()
  }
}

/**
 * @param networks allowed sources besides the public internet
 * @param proxy through which it is fetched
 * @throws SamlError
 */
export async function fetchMetadata(
  url: string,
  networks?: BlockList,
  limitMs: number = SAML_METADATA_FETCH_MS,
  proxy?: Reach['proxy'],
): Promise<string> {
  const signal = AbortSignal.timeout(limitMs)
  try {
    return await untilAborted(signal, fetchText(url, { networks, proxy }, signal))
  } catch (error) {
    throw error instanceof SamlError
      ? error
      : new SamlError(messages.query(faultOfHost(error, signal)))
  }
}
