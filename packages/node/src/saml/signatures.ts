/** XML signatures. Only signed content, in its canonical form, leaves this file. */
import { type KeyObject, verify, X509Certificate, createHash } from 'node:crypto'
import { samlDigestAlgorithms, samlMessages, samlSignatureAlgorithms } from '@steading/api/rules'
import { SamlError } from '@steading/control-plane/ports'
import { SignedXml } from 'xml-crypto'
import { attribute, childElements, children, isNamed, textOf } from './xml.ts'

const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const INCLUSIVE = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'

const refuse = (reason: string): never => {
  throw new SamlError(samlMessages.extract(reason))
}

/** Constructors for the library, by name. */
function registered<T extends object>(
  make: (name: string) => T,
  names: readonly string[],
): Record<string, new () => T> {
  // The object that a constructor returns becomes the instance.
  const constructorOf = (name: string) =>
    function () {
      return make(name)
    } as unknown as new () => T
  return Object.fromEntries(names.map((name) => [name, constructorOf(name)]))
}

const signatureAlgorithms = registered((uri) => {
  const { key: type, hash } = samlSignatureAlgorithms[uri as keyof typeof samlSignatureAlgorithms]
  return {
    getAlgorithmName: () => uri,
    getSignature: () => refuse('nothing is signed here'),
    verifySignature: (material: string, key: unknown, value: string): boolean => {
      if ((key as KeyObject).asymmetricKeyType !== type) return false
      // XML signatures use numbers of fixed length instead of DER.
      const verifying = { key: key as KeyObject, dsaEncoding: 'ieee-p1363' as const }
      return verify(hash, Buffer.from(material), verifying, Buffer.from(value, 'base64'))
    },
  }
}, Object.keys(samlSignatureAlgorithms))

const digestAlgorithms = registered((uri) => {
  const hash = samlDigestAlgorithms[uri as keyof typeof samlDigestAlgorithms]
  return {
    getAlgorithmName: () => uri,
    getHash: (xml: string) => createHash(hash).update(xml).digest('base64'),
  }
}, Object.keys(samlDigestAlgorithms))

const only = (parent: Element, name: string): Element => {
  const [first, ...more] = children(parent, 'signature', name)
  if (!first || more.length > 0) return refuse(`a signature needs exactly one ${name}`)
  return first
}

const algorithmOf = (element: Element): string => attribute(element, 'Algorithm') ?? ''

/**
 * Refuses a signature whose form SAML does not permit: it must sign its parent element by one
 * reference, with allowed algorithms only.
 */
function checkForm(signature: Element, signed: Element): void {
  const parts = ['SignedInfo', 'SignatureValue', 'KeyInfo']
  for (const child of childElements(signature)) {
    if (!parts.some((name) => isNamed(child, 'signature', name))) {
      refuse('a signature has unexpected contents')
    }
  }
  const info = only(signature, 'SignedInfo')
  if (textOf(only(signature, 'SignatureValue')) === undefined) refuse('a signature has no value')
  const method = algorithmOf(only(info, 'SignatureMethod'))
  if (!Object.hasOwn(samlSignatureAlgorithms, method)) {
    throw new SamlError(samlMessages.algorithm(method.slice(0, 200)))
  }
  if (![EXCLUSIVE, INCLUSIVE].includes(algorithmOf(only(info, 'CanonicalizationMethod')))) {
    refuse('a canonicalization method is not allowed')
  }
  const reference = only(info, 'Reference')
  if (childElements(info).length !== 3) refuse('a signature has unexpected contents')
  const id = attribute(signed, 'ID')
  if (!id || attribute(reference, 'URI') !== `#${id}`) {
    refuse('a signature is about another element than the one it is in')
  }
  const transforms = childElements(only(reference, 'Transforms')).map(algorithmOf)
  const [first, second, ...more] = transforms
  if (first !== ENVELOPED || more.length > 0 || ![EXCLUSIVE, INCLUSIVE].includes(second!)) {
    refuse('a transform is not allowed')
  }
  if (!Object.hasOwn(samlDigestAlgorithms, algorithmOf(only(reference, 'DigestMethod')))) {
    refuse('a digest algorithm is not allowed')
  }
  if (textOf(only(reference, 'DigestValue')) === undefined) refuse('a digest is not text')
}

/** The public keys of certificates, DER in base64. */
const keysOf = (certificates: readonly string[]): KeyObject[] =>
  certificates.map(
    (certificate) => new X509Certificate(Buffer.from(certificate, 'base64')).publicKey,
  )

/**
 * Canonical text of an element signed by one of these certificates, without its signature.
 * @param xml the document that contains the element
 * @throws SamlError
 */
export function signedText(
  xml: string,
  signed: Element,
  signature: Element,
  certificates: readonly string[],
): string {
  checkForm(signature, signed)
  for (const key of keysOf(certificates)) {
    const check = new SignedXml({ publicCert: key, getCertFromKeyInfo: () => null })
    check.SignatureAlgorithms = signatureAlgorithms
    check.HashAlgorithms = digestAlgorithms
    check.idAttributes = ['ID']
    try {
      check.loadSignature(signature)
      if (!check.checkSignature(xml)) continue
    } catch {
      continue
    }
    const [text, ...more] = check.getSignedReferences()
    if (text !== undefined && more.length === 0) return text
  }
  return refuse('the signature does not match')
}
