/** Certificate keys, by means of WebCrypto. */
import { AsnConvert } from '@peculiar/asn1-schema'
import { ECDSASigValue, ECPrivateKey } from '@peculiar/asn1-ecc'
import { PrivateKey, PrivateKeyInfo } from '@peculiar/asn1-pkcs8'
import { AlgorithmIdentifier, type SubjectPublicKeyInfo } from '@peculiar/asn1-x509'
import { areUint8ArraysEqual } from 'uint8array-extras'
import type { X509Certificate } from './certificate.ts'
import { type PemBlock, readPem } from './pem.ts'

const RSA = '1.2.840.113549.1.1.1'
const EC = '1.2.840.10045.2.1'
const ED25519 = '1.3.101.112'

interface Curve {
  namedCurve: string
  /** Bytes of each half of a signature. */
  size: number
}

const curves: Record<string, Curve> = {
  '1.2.840.10045.3.1.7': { namedCurve: 'P-256', size: 32 },
  '1.3.132.0.34': { namedCurve: 'P-384', size: 48 },
  '1.3.132.0.35': { namedCurve: 'P-521', size: 66 },
}

/** Signature algorithm → hash and key algorithm. */
const signatures: Record<string, { key: string; hash: string }> = {
  '1.2.840.113549.1.1.11': { key: RSA, hash: 'SHA-256' },
  '1.2.840.113549.1.1.12': { key: RSA, hash: 'SHA-384' },
  '1.2.840.113549.1.1.13': { key: RSA, hash: 'SHA-512' },
  '1.2.840.10045.4.3.2': { key: EC, hash: 'SHA-256' },
  '1.2.840.10045.4.3.3': { key: EC, hash: 'SHA-384' },
  '1.2.840.10045.4.3.4': { key: EC, hash: 'SHA-512' },
  [ED25519]: { key: ED25519, hash: 'SHA-512' },
}

type Parameters = RsaHashedImportParams & EcKeyImportParams & EcdsaParams

/** The curve of an elliptic key: its algorithm parameter is an object identifier. */
const curveOf = ({ parameters }: AlgorithmIdentifier): string | undefined =>
  parameters
    ? Object.keys(curves).find((id) => areUint8ArraysEqual(encodedId(id), parameters))
    : undefined

/** DER of an object identifier, as in algorithm parameters. */
function encodedId(id: string): ArrayBuffer {
  const der = new Uint8Array(AsnConvert.serialize(new AlgorithmIdentifier({ algorithm: id })))
  return der.slice(2).buffer
}

/** Whether two keys have the same algorithm and could be a pair. */
const sameAlgorithm = (one: AlgorithmIdentifier, other: AlgorithmIdentifier): boolean =>
  one.algorithm === other.algorithm && (one.algorithm !== EC || curveOf(one) === curveOf(other))

/**
 * WebCrypto parameters of an algorithm with a hash; undefined if the algorithm is not supported.
 */
function parametersOf(algorithm: AlgorithmIdentifier, hash: string): Parameters | undefined {
  switch (algorithm.algorithm) {
    case RSA:
      return { name: 'RSASSA-PKCS1-v1_5', hash } as Parameters
    case EC: {
      const curve = curves[curveOf(algorithm) ?? '']
      return curve && { name: 'ECDSA', namedCurve: curve.namedCurve, hash }
    }
    case ED25519:
      return { name: 'Ed25519' } as Parameters
    default:
      return undefined
  }
}

const importPublic = (key: SubjectPublicKeyInfo, parameters: Parameters): Promise<CryptoKey> =>
  crypto.subtle.importKey('spki', AsnConvert.serialize(key), parameters, false, ['verify'])

/**
 * Converts an ECDSA signature from DER, with two numbers, to WebCrypto's two halves of fixed size.
 */
function signatureBytes(key: AlgorithmIdentifier, signature: ArrayBuffer): ArrayBuffer {
  const curve = curves[curveOf(key) ?? '']
  if (key.algorithm !== EC || !curve) return signature
  const { r, s } = AsnConvert.parse(signature, ECDSASigValue)
  const bytes = new Uint8Array(2 * curve.size)
  for (const [end, number] of [
    [curve.size, r],
    [2 * curve.size, s],
  ] as const) {
    const digits = new Uint8Array(number)
    const significant = digits.subarray(digits.findIndex((byte) => byte !== 0))
    bytes.set(significant, end - significant.length)
  }
  return bytes.buffer
}

/**
 * Whether the key of one certificate signed another; undefined if the signature algorithm is not
 * supported.
 */
export async function hasSigned(
  issuer: X509Certificate,
  { structure }: X509Certificate,
): Promise<boolean | undefined> {
  const signature = signatures[structure.signatureAlgorithm.algorithm]
  const key = issuer.structure.tbsCertificate.subjectPublicKeyInfo
  if (!signature) return undefined
  if (signature.key !== key.algorithm.algorithm) return false
  const parameters = parametersOf(key.algorithm, signature.hash)
  if (!parameters) return undefined
  try {
    return await crypto.subtle.verify(
      parameters,
      await importPublic(key, parameters),
      signatureBytes(key.algorithm, structure.signatureValue),
      structure.tbsCertificateRaw!,
    )
  } catch {
    return false
  }
}

/** Public key of a certificate; undefined if it is malformed or not supported. */
export async function publicKeyOf({ structure }: X509Certificate): Promise<CryptoKey | undefined> {
  const key = structure.tbsCertificate.subjectPublicKeyInfo
  const parameters = parametersOf(key.algorithm, 'SHA-256')
  return parameters && importPublic(key, parameters).catch(() => undefined)
}

/** Size of an RSA key in bits. */
export const rsaBits = ({ algorithm }: CryptoKey): number | undefined =>
  (algorithm as Partial<RsaKeyAlgorithm>).modulusLength

/** Maximum size of a private key in bytes. Keys of 8,192 bits have less than five thousand. */
const PRIVATE_KEY_MAX = 16 * 1024

/** Converts a block of one of the three usual formats to PKCS #8. */
function inPkcs8({ label, bytes }: PemBlock): PrivateKeyInfo | undefined {
  const wrapped = (algorithm: string, parameters: ArrayBuffer) =>
    new PrivateKeyInfo({
      privateKeyAlgorithm: new AlgorithmIdentifier({ algorithm, parameters }),
      privateKey: new PrivateKey(bytes.buffer),
    })
  switch (label) {
    case 'PRIVATE KEY':
      return AsnConvert.parse(bytes, PrivateKeyInfo)
    case 'RSA PRIVATE KEY':
      // The RSA parameter is ASN.1's null.
      return wrapped(RSA, new Uint8Array([5, 0]).buffer)
    case 'EC PRIVATE KEY': {
      const curve = AsnConvert.parse(bytes, ECPrivateKey).parameters?.namedCurve
      return curve === undefined ? undefined : wrapped(EC, encodedId(curve))
    }
    default:
      return undefined
  }
}

/** A parsed private key. */
export interface X509PrivateKey {
  algorithm: AlgorithmIdentifier
  /** PKCS #8, in DER. */
  bytes: Uint8Array<ArrayBuffer>
}

/** The private key of a PEM text, or the problem with it. */
export function readPrivateKey(pem: string): X509PrivateKey | { problem: string | undefined } {
  const blocks = readPem(pem)
  const block = blocks?.find(({ label }) => label.endsWith('PRIVATE KEY'))
  if (/^-----BEGIN ENCRYPTED PRIVATE KEY-----|^Proc-Type: 4,ENCRYPTED/m.test(pem)) {
    return { problem: 'it is encrypted' }
  }
  if (!block || block.bytes.length > PRIVATE_KEY_MAX) return { problem: undefined }
  try {
    const info = inPkcs8(block)
    if (!info) return { problem: undefined }
    const bytes = new Uint8Array(AsnConvert.serialize(info))
    return { algorithm: info.privateKeyAlgorithm, bytes }
  } catch {
    return { problem: undefined }
  }
}

/**
 * Whether a private key belongs to a certificate, checked by signing and verifying. Undefined if
 * the private key is malformed.
 */
export async function isKeyOf(
  { algorithm, bytes }: X509PrivateKey,
  certificate: X509Certificate,
  publicKey: CryptoKey,
): Promise<boolean | undefined> {
  const wanted = certificate.structure.tbsCertificate.subjectPublicKeyInfo.algorithm
  const parameters = parametersOf(algorithm, 'SHA-256')
  if (!parameters) return undefined
  let privateKey: CryptoKey
  try {
    privateKey = await crypto.subtle.importKey('pkcs8', bytes, parameters, false, ['sign'])
  } catch {
    return undefined
  }
  if (!sameAlgorithm(algorithm, wanted)) return false
  const data = crypto.getRandomValues(new Uint8Array(32))
  try {
    const signature = await crypto.subtle.sign(parameters, privateKey, data)
    return await crypto.subtle.verify(parameters, publicKey, signature, data)
  } catch {
    return false
  }
}

/** The name of a kind of key that most browsers do not accept; undefined for others. */
export function unusualKey({ structure }: X509Certificate): string | undefined {
  const { algorithm } = structure.tbsCertificate.subjectPublicKeyInfo
  if (algorithm.algorithm === ED25519) return 'Ed25519'
  const curve = algorithm.algorithm === EC ? curves[curveOf(algorithm) ?? ''] : undefined
  return curve?.namedCurve === 'P-521' ? curve.namedCurve : undefined
}
