/** Creates certificates for tests, using the same library as the product's parser. */
import { AsnConvert, OctetString } from '@peculiar/asn1-schema'
import { ECDSASigValue } from '@peculiar/asn1-ecc'
import {
  AlgorithmIdentifier,
  AttributeTypeAndValue,
  AttributeValue,
  BasicConstraints,
  Certificate,
  ExtendedKeyUsage,
  Extension,
  Extensions,
  GeneralName,
  id_ce_basicConstraints,
  id_ce_extKeyUsage,
  id_ce_keyUsage,
  id_ce_subjectAltName,
  KeyUsage,
  Name,
  RelativeDistinguishedName,
  SubjectAlternativeName,
  SubjectPublicKeyInfo,
  TBSCertificate,
  Validity,
  Version,
} from '@peculiar/asn1-x509'
import { DAY_MS } from '../../src/identity/certificates/rules.ts'
import { CERTIFICATE_LABEL, writePem } from '../../src/identity/certificates/x509.ts'

const algorithms = {
  'P-256': {
    name: 'ECDSA',
    namedCurve: 'P-256',
    hash: 'SHA-256',
    signature: '1.2.840.10045.4.3.2',
  },
  'P-384': {
    name: 'ECDSA',
    namedCurve: 'P-384',
    hash: 'SHA-384',
    signature: '1.2.840.10045.4.3.3',
  },
  'P-521': {
    name: 'ECDSA',
    namedCurve: 'P-521',
    hash: 'SHA-512',
    signature: '1.2.840.10045.4.3.4',
  },
  'RSA-1024': {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 1024,
    publicExponent: Uint8Array.of(1, 0, 1),
    hash: 'SHA-256',
    signature: '1.2.840.113549.1.1.11',
  },
  'RSA-2048': {
    name: 'RSASSA-PKCS1-v1_5',
    modulusLength: 2048,
    publicExponent: Uint8Array.of(1, 0, 1),
    hash: 'SHA-256',
    signature: '1.2.840.113549.1.1.11',
  },
  Ed25519: { name: 'Ed25519', signature: '1.3.101.112' },
} as const
export type KeyType = keyof typeof algorithms

export interface Made {
  /** PEM of this certificate alone. */
  own: string
  /** PEM of this certificate and its intermediates, without the root. */
  cert: string
  /** PEM. */
  key: string
}

interface MadeWithKeys extends Made {
  type: KeyType
  isRoot: boolean
  subject: Name
  keys: CryptoKeyPair
}

export interface Wanted {
  /** Subject alternative names. */
  names?: string[]
  /** IP addresses among them. */
  addresses?: string[]
  commonName?: string
  keyType?: KeyType
  /** Days until expiry; negative if expired. */
  days?: number
  /** Purposes; the extension is omitted if absent. */
  usages?: string[]
  keyUsage?: number
  ca?: boolean
  issuer?: Made
}

const nameOf = (commonName: string) =>
  new Name([
    new RelativeDistinguishedName([
      new AttributeTypeAndValue({
        type: '2.5.4.3',
        value: new AttributeValue({ utf8String: commonName }),
      }),
    ]),
  ])

const extension = (extnID: string, value: unknown) =>
  new Extension({ extnID, extnValue: new OctetString(AsnConvert.serialize(value)) })

/**
 * An ASN.1 integer from one half of a signature: without leading zeros, unless needed as a sign.
 */
function positive(bytes: Uint8Array): ArrayBuffer {
  const digits = bytes.slice(bytes.findIndex((byte) => byte !== 0))
  return (digits[0]! < 0x80 ? digits : Uint8Array.of(0, ...digits)).buffer
}

async function sign(type: KeyType, key: CryptoKey, data: ArrayBuffer): Promise<ArrayBuffer> {
  const signature = await crypto.subtle.sign(algorithms[type], key, data)
  if (algorithms[type].name !== 'ECDSA') return signature
  const bytes = new Uint8Array(signature)
  const half = bytes.length / 2
  const [r, s] = [positive(bytes.subarray(0, half)), positive(bytes.subarray(half))]
  return AsnConvert.serialize(new ECDSASigValue({ r, s }))
}

/**
 * Keys are not under test, and some take a second to generate: each file generates one of each
 * type.
 */
const kept = new Map<string, Promise<CryptoKeyPair>>()

function keysOf(type: KeyType, slot: string): Promise<CryptoKeyPair> {
  const made =
    kept.get(type + slot) ??
    (crypto.subtle.generateKey(algorithms[type] as Algorithm, true, [
      'sign',
      'verify',
    ]) as Promise<CryptoKeyPair>)
  kept.set(type + slot, made)
  return made
}

let serial = 1

/** A certificate and its key; self-signed without an issuer. */
export async function makeCertificate({
  names = [],
  addresses = [],
  commonName = names[0] ?? 'test',
  keyType: type = 'P-256',
  days = 90,
  usages = ['1.3.6.1.5.5.7.3.1'],
  keyUsage,
  ca = false,
  issuer: madeIssuer,
}: Wanted = {}): Promise<Made> {
  const issuer = madeIssuer as MadeWithKeys | undefined
  const keys = await keysOf(type, ca ? `authority ${commonName}` : 'host')
  const subject = nameOf(commonName)
  const signer = issuer ?? { type, keys, subject }
  const { signature } = algorithms[signer.type]
  const algorithm = new AlgorithmIdentifier({
    algorithm: signature,
    ...(signature.startsWith('1.2.840.113549') ? { parameters: Uint8Array.of(5, 0).buffer } : {}),
  })
  const now = new Date().getTime()
  const end = now + days * DAY_MS
  const tbsCertificate = new TBSCertificate({
    version: Version.v3,
    serialNumber: Uint8Array.of(1, serial >> 8, serial++ & 0xff).buffer,
    signature: algorithm,
    issuer: signer.subject,
    subject,
    validity: new Validity({
      notBefore: new Date(Math.min(now - 60_000, end - DAY_MS)),
      notAfter: new Date(end),
    }),
    subjectPublicKeyInfo: AsnConvert.parse(
      await crypto.subtle.exportKey('spki', keys.publicKey),
      SubjectPublicKeyInfo,
    ),
    extensions: new Extensions([
      ...(ca ? [extension(id_ce_basicConstraints, new BasicConstraints({ cA: true }))] : []),
      ...(usages.length > 0 && !ca
        ? [extension(id_ce_extKeyUsage, new ExtendedKeyUsage(usages))]
        : []),
      ...(keyUsage === undefined ? [] : [extension(id_ce_keyUsage, new KeyUsage(keyUsage))]),
      ...(names.length + addresses.length > 0
        ? [
            extension(
              id_ce_subjectAltName,
              new SubjectAlternativeName([
                ...names.map((dNSName) => new GeneralName({ dNSName })),
                ...addresses.map((iPAddress) => new GeneralName({ iPAddress })),
              ]),
            ),
          ]
        : []),
    ]),
  })
  const certificate = new Certificate({
    tbsCertificate,
    signatureAlgorithm: algorithm,
    signatureValue: await sign(
      signer.type,
      signer.keys.privateKey,
      AsnConvert.serialize(tbsCertificate),
    ),
  })
  const pem = (label: string, der: ArrayBuffer) => writePem({ label, bytes: new Uint8Array(der) })
  const own = pem(CERTIFICATE_LABEL, AsnConvert.serialize(certificate))
  const made: MadeWithKeys = {
    own,
    cert: own + (issuer && !issuer.isRoot ? issuer.cert : ''),
    key: pem('PRIVATE KEY', await crypto.subtle.exportKey('pkcs8', keys.privateKey)),
    type,
    isRoot: issuer === undefined,
    subject,
    keys,
  }
  return made
}
