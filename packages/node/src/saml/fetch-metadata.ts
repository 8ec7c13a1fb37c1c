/**
 * Fetches metadata from an address that an administrator has given. The address must not become a
 * way into the networks of the server: each host name is resolved once, only public addresses and
 * those of allowed networks pass, and the connection goes to the address that was checked.
 */
import { lookup as resolve } from 'node:dns/promises'
import { type IncomingMessage, request as requestPlainly } from 'node:http'
import { request as requestSecurely } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import {
  identityProviderMessages as messages,
  SAML_METADATA_FETCH_MS,
  SAML_METADATA_MAX,
  SAML_METADATA_REDIRECTS,
} from '@steading/api/rules'
import { SamlError } from '@steading/control-plane'

/** Networks of IPv4 that are not the public internet. */
const special = new BlockList()
for (const network of [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/3',
]) {
  const [address, prefix] = network.split('/')
  special.addSubnet(address!, Number(prefix), 'ipv4')
}
/** The public part of IPv6, and what in it leads elsewhere or stands for nothing. */
const global = new BlockList()
global.addSubnet('2000::', 3, 'ipv6')
for (const [address, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  special.addSubnet(address, prefix, 'ipv6')
}

const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether an address is on the public internet. */
export function isPublic(address: string): boolean {
  const family = familyOf(address)
  if (special.check(address, family)) return false
  return family === 'ipv4' || global.check(address, family)
}

/** An address to connect to. */
interface Target {
  address: string
  /** Whether the operator has allowed its network. */
  allowed: boolean
}

async function targetOf(url: URL, networks: BlockList | undefined): Promise<Target> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const found = isIP(host) ? [{ address: host }] : await resolve(host, { all: true })
  const targets = found.map(({ address }) => ({
    address,
    allowed: networks?.check(address, familyOf(address)) ?? false,
  }))
  const target = targets.find(({ address, allowed }) => allowed || isPublic(address))
  if (!target) throw new SamlError(messages.query('its host is not on the public internet'))
  return target
}

/** Sends one request, to an address that has been checked. */
function send(url: URL, { address }: Target, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestSecurely : requestPlainly
  const { promise, resolve: answer, reject } = Promise.withResolvers<IncomingMessage>()
  const family = isIP(address)
  const lookup: LookupFunction = (_host, asked, found) =>
    asked.all ? found(null, [{ address, family }]) : found(null, address, family)
  const options = {
    // No connection of another purpose is used again, so the lookup below is always asked.
    agent: false as const,
    signal,
    headers: { accept: 'application/samlmetadata+xml, application/xml, text/xml' },
    lookup,
  }
  request(url, options, answer).once('error', reject).end()
  return promise
}

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
 * What went wrong with a connection. The words of the system are not passed on, because they would
 * tell what there is in the networks of the server.
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
  // An attacker who can change metadata on its way can sign in as any user.
  if (url.protocol === 'http:' && !target.allowed) {
    throw new SamlError(messages.query('it must begin with https://'))
  }
  const response = await send(url, target, signal)
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
 * @param networks those from which metadata may come besides the public internet
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
    // Resolving a name cannot be aborted.
    return await Promise.race([fetchFrom(url, networks, signal, SAML_METADATA_REDIRECTS), late])
  } catch (error) {
    throw error instanceof SamlError
      ? error
      : new SamlError(messages.query(problemOf(error, signal)))
  }
}
