/** Selects the certificate of a TLS connection by the requested host. */
import { constants } from 'node:crypto'
import type { ServerOptions } from 'node:https'
import { createSecureContext, type SecureContext } from 'node:tls'
import { CERTIFICATE_LABEL, readPem, writePem } from '@steading/api/x509'
import type { ServedCertificate } from '@steading/control-plane'
import type { Log } from './log.ts'

/** Maximum number of cached hosts and certificates. */
const MAX_REMEMBERED = 1_000
/** Handshake timeout in milliseconds. */
const HANDSHAKE_MS = 10_000

const minVersion = 'TLSv1.2'

function remember<V>(map: Map<string, V>, key: string, value: V): void {
  if (map.size >= MAX_REMEMBERED && !map.has(key)) map.clear()
  map.set(key, value)
}

/** The certificates of a file, without surrounding text that OpenSSL would not read. */
const plainChain = (cert: string): string =>
  (readPem(cert) ?? [])
    .filter(({ label }) => label === CERTIFICATE_LABEL)
    .map(writePem)
    .join('')

/**
 * Returns the function that finds the certificate of a host. An unusable certificate is logged once
 * and skipped. Each connection reads the current certificates, so every server serves a new one at
 * once; during a database outage, a host keeps its last one.
 */
function createChooser(find: (host: string) => Promise<ServedCertificate[]>, log: Log) {
  /** By certificate id; null if it cannot be used. */
  const contexts = new Map<string, SecureContext | null>()
  /** Last certificate used for each host. */
  const last = new Map<string, SecureContext>()

  const contextOf = ({ id, cert, key }: ServedCertificate): SecureContext | null => {
    let context = contexts.get(id)
    if (context === undefined) {
      try {
        context = createSecureContext({ cert: plainChain(cert), key, minVersion })
      } catch (error) {
        log(`the certificate ${id} cannot be served`, error)
        context = null
      }
      remember(contexts, id, context)
    }
    return context
  }

  return async (host: string): Promise<SecureContext | undefined> => {
    let found: ServedCertificate[]
    try {
      found = await find(host)
    } catch {
      return last.get(host)
    }
    for (const certificate of found) {
      const context = contextOf(certificate)
      if (!context) continue
      remember(last, host, context)
      return context
    }
    last.delete(host)
    return undefined
  }
}

/**
 * Options of a TLS listener. Clients that name no host, or one without a certificate, get the alert
 * `handshake_failure`: a certificate of another silo would only teach users to ignore warnings.
 */
export function tlsOptions(
  find: (host: string) => Promise<ServedCertificate[]>,
  log: Log,
): ServerOptions {
  const choose = createChooser(find, log)
  return {
    minVersion,
    handshakeTimeout: HANDSHAKE_MS,
    secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    SNICallback: (host, done) =>
      void choose(host.toLowerCase()).then(
        (context) => done(null, context),
        (error: Error) => done(error),
      ),
  }
}
