/** Faults of connections to other servers, without the words of the system. */
import { certificateFaults, connectionFaults, proxyFaults } from '@steading/api/rules'
import { errorCode } from '@steading/files'
import { ProxyError } from './proxy.ts'

/** Codes of TLS → faults of certificates. */
const certificates: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: certificateFaults.selfSigned,
  CERT_HAS_EXPIRED: certificateFaults.expired,
  CERT_NOT_YET_VALID: certificateFaults.notYet,
  ERR_TLS_CERT_ALTNAME_INVALID: certificateFaults.otherName,
  SELF_SIGNED_CERT_IN_CHAIN: certificateFaults.unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT: certificateFaults.unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: certificateFaults.unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: certificateFaults.unknownIssuer,
}

const connections: Record<string, string> = {
  EAI_AGAIN: connectionFaults.lookup,
  ECONNREFUSED: connectionFaults.refused,
  ECONNRESET: connectionFaults.cut,
  EHOSTUNREACH: connectionFaults.noWay,
  ENETUNREACH: connectionFaults.noWay,
  ETIMEDOUT: connectionFaults.late,
  EPROTO: connectionFaults.noTls,
}

/** A fault of a name, a certificate or a proxy, or any other fault of a connection. */
export type Fault = { of: 'name' } | { of: 'certificate' | 'proxy' | 'connection'; text: string }

/** The fault behind an error of `sendTo` or `fetchFrom`. */
export function faultOf(error: unknown): Fault {
  if (error instanceof ProxyError) {
    const { status, cause } = error
    if (status !== undefined) return { of: 'proxy', text: proxyFaults.status(status) }
    const behind = faultOf(cause)
    const text = behind.of === 'name' ? connectionFaults.lookup : behind.text
    return { of: 'proxy', text: proxyFaults.connection(text) }
  }
  if (error instanceof AggregateError) {
    // Of several addresses: the fault that says most.
    const all = error.errors.map(faultOf)
    const known = all.find((fault) => 'text' in fault && fault.text !== connectionFaults.other)
    return known ?? { of: 'connection', text: connectionFaults.other }
  }
  const code = errorCode(error) ?? ''
  if (code === 'ENOTFOUND') return { of: 'name' }
  const certificate = certificates[code]
  if (certificate ?? /CERT|VERIFY/.test(code)) {
    return { of: 'certificate', text: certificate ?? certificateFaults.other }
  }
  return { of: 'connection', text: connections[code] ?? connectionFaults.other }
}

/**
 * The fault as the end of a sentence about "its host", for administrators of providers. Messages of
 * the system are withheld, because they would reveal the server's networks.
 * @param signal of the request, which aborts when the time is over
 */
export function faultOfHost(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'no answer in time'
  const fault = faultOf(error)
  switch (fault.of) {
    case 'name':
      return 'its host is not known'
    case 'certificate':
      return `the certificate of its host ${fault.text}`
    case 'proxy':
      return `the proxy of this server ${fault.text}`
    case 'connection':
      return fault.text === connectionFaults.lookup
        ? 'its host is not known'
        : 'the connection failed'
  }
}
