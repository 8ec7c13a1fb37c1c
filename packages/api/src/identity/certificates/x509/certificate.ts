/** Reads X.509 certificates. */
import { AsnConvert } from '@peculiar/asn1-schema'
import {
  BasicConstraints,
  Certificate as Structure,
  ExtendedKeyUsage,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  KeyUsage,
  KeyUsageFlags,
  type Name,
  SubjectAlternativeName,
} from '@peculiar/asn1-x509'
import { areUint8ArraysEqual } from 'uint8array-extras'
import { CERTIFICATE_LABEL, type PemBlock, readPem } from './pem.ts'

export interface X509Certificate {
  /** Subject alternative names, or the common names if there are none. */
  names: string[]
  start: Date
  end: Date
  /** Whether the certificate may issue other ones. */
  isAuthority: boolean
  /** Whether it may be used by a TLS server. */
  forServers: boolean
  /** Its own name and that of its issuer, in DER. */
  subject: ArrayBuffer
  issuer: ArrayBuffer
  structure: Structure
}

/** Maximum size of a certificate in bytes. Real ones have a few thousand. */
const CERTIFICATE_MAX = 64 * 1024

const COMMON_NAME = '2.5.4.3'
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1'
const ANY_USAGE = '2.5.29.37.0'

function commonNames(subject: Name): string[] {
  return [...subject].flatMap((relative) =>
    [...relative].flatMap(({ type, value }) => (type === COMMON_NAME ? value.toString() : [])),
  )
}

function read(bytes: Uint8Array<ArrayBuffer>): X509Certificate {
  const structure = AsnConvert.parse(bytes, Structure)
  const { subject, issuer, validity, extensions = [] } = structure.tbsCertificate
  /** @param type the library's class of the extension */
  const extension = <T>(id: string, type: new () => T): T | undefined => {
    const found = [...extensions].find(({ extnID }) => extnID === id)
    return found && AsnConvert.parse(found.extnValue.buffer, type)
  }
  const alternatives = [...(extension(id_ce_subjectAltName, SubjectAlternativeName) ?? [])].flatMap(
    ({ dNSName, iPAddress }) => dNSName ?? iPAddress ?? [],
  )
  const usages = extension(id_ce_extKeyUsage, ExtendedKeyUsage)
  const keyUsage = extension(id_ce_keyUsage, KeyUsage)?.toNumber()
  const forTls = KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment
  const [start, end] = [validity.notBefore.getTime(), validity.notAfter.getTime()]
  if (Number.isNaN(start.getTime()) || Number.isNaN(end.getTime())) throw new Error('no date')
  return {
    names: alternatives.length > 0 ? alternatives : commonNames(subject),
    start,
    end,
    forServers:
      (usages === undefined || usages.includes(SERVER_AUTH) || usages.includes(ANY_USAGE)) &&
      (keyUsage === undefined || (keyUsage & forTls) !== 0),
    isAuthority: extension(id_ce_basicConstraints, BasicConstraints)?.cA ?? false,
    // Names may be refused here that were accepted above.
    subject: AsnConvert.serialize(subject),
    issuer: AsnConvert.serialize(issuer),
    structure,
  }
}

/** @returns undefined if the bytes are not a certificate */
function readCertificate({ bytes }: PemBlock): X509Certificate | undefined {
  if (bytes.length > CERTIFICATE_MAX) return undefined
  try {
    return read(bytes)
  } catch {
    // The decoder throws various kinds of error.
    return undefined
  }
}

/** Whether the issuer's name matches; signatures are not checked. */
export const isNamedIssuer = (issuer: X509Certificate, issued: X509Certificate): boolean =>
  areUint8ArraysEqual(issuer.subject, issued.issuer)

/**
 * Position, from 2, of the first certificate in the chain that did not issue the one before it. The
 * contract accepts such chains, but some clients do not.
 */
export function chainBreak(chain: readonly X509Certificate[]): number | undefined {
  const at = chain.findIndex((one, index) => index > 0 && !isNamedIssuer(one, chain[index - 1]!))
  return at < 0 ? undefined : at + 1
}

/** Whether the first certificate of a chain issued another one, so that it is not the server's. */
export const beginsWithIssuer = ([first, ...rest]: readonly X509Certificate[]): boolean =>
  first !== undefined &&
  rest.some((each) => isNamedIssuer(first, each) && !isNamedIssuer(each, each))

/**
 * Name of the issuer that is missing at the end of a chain; undefined if the chain ends with an
 * authority, because clients have the roots that issued authorities.
 */
export function missingIssuer(chain: readonly X509Certificate[]): string | undefined {
  const above = new Set<X509Certificate>()
  let last = chain[0]
  while (last && !above.has(last)) {
    above.add(last)
    const next = chain.find((each) => !above.has(each) && isNamedIssuer(each, last!))
    if (!next) break
    last = next
  }
  if (!last || last.isAuthority || isNamedIssuer(last, last)) return undefined
  const { issuer } = last.structure.tbsCertificate
  return commonNames(issuer)[0] ?? 'its issuer'
}

const isCertificate = ({ label }: PemBlock): boolean => label === CERTIFICATE_LABEL

/** The host's certificate, which is the first of a PEM text; undefined if it cannot be parsed. */
export function readLeaf(pem: string): X509Certificate | undefined {
  const block = readPem(pem)?.find(isCertificate)
  return block && readCertificate(block)
}

/** All certificates of a PEM text; undefined if one cannot be parsed. */
export function readChain(pem: string): X509Certificate[] | undefined {
  const chain = readPem(pem)?.filter(isCertificate).map(readCertificate)
  return chain?.every((certificate) => certificate !== undefined) ? chain : undefined
}
