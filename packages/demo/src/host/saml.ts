/**
 * SAML within the limits of a page: nothing can be fetched from other sites, and provider responses
 * are verified by a signature of their plain text instead of the canonical form. So users can only
 * sign in through the demo's own identity provider (`provider`).
 */
import { DOMParser } from '@xmldom/xmldom'
import { base64ToUint8Array } from 'uint8array-extras'
import { identityProviderMessages as messages, samlMessages } from '@steading/api/rules'
import {
  type ProviderMetadata,
  type Saml,
  SamlError,
  type SamlResponse,
  type SignedAssertion,
} from '@steading/control-plane/ports'

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata'
const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion'
const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol'
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

const rootOf = (xml: string): Element =>
  new DOMParser().parseFromString(xml, 'text/xml').documentElement

const all = (within: Element, namespace: string, name: string): Element[] =>
  Array.from(within.getElementsByTagNameNS(namespace, name))

const textOf = (element: Element | undefined): string | undefined =>
  element?.textContent ?? undefined

function readMetadata(xml: string): ProviderMetadata {
  const root = rootOf(xml)
  if (root.localName !== 'EntityDescriptor' || root.namespaceURI !== METADATA) {
    throw new SamlError(messages.parse('it is not an md:EntityDescriptor'))
  }
  const [provider] = all(root, METADATA, 'IDPSSODescriptor')
  if (!provider) throw new SamlError(messages.noProvider)
  const certificates = all(provider, SIGNATURE, 'X509Certificate').map((certificate) =>
    textOf(certificate)!.replaceAll(/\s/g, ''),
  )
  if (certificates.length === 0) throw new SamlError(messages.noKey)
  const ssoUrl = all(provider, METADATA, 'SingleSignOnService')
    .find((service) => service.getAttribute('Binding') === REDIRECT)
    ?.getAttribute('Location')
  if (!ssoUrl) throw new SamlError(messages.noRedirect)
  return { ssoUrl, certificates }
}

/** Whether one of the certificates, in base64 of DER, has signed a text. */
async function isSigned(
  text: string,
  signature: string,
  certificates: readonly string[],
): Promise<boolean> {
  const { CERTIFICATE_LABEL, publicKeyOf, readLeaf, writePem } = await import('@steading/api/x509')
  for (const certificate of certificates) {
    const pem = writePem({ label: CERTIFICATE_LABEL, bytes: base64ToUint8Array(certificate) })
    const leaf = readLeaf(pem)
    const key = leaf && (await publicKeyOf(leaf))
    if (key?.algorithm.name !== 'ECDSA') continue
    const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
    const data = new TextEncoder().encode(text)
    if (await crypto.subtle.verify(algorithm, key, base64ToUint8Array(signature), data)) return true
  }
  return false
}

function assertionOf(root: Element): SignedAssertion {
  const first = (name: string) => all(root, ASSERTION, name)[0]
  const attribute = (element: Element, name: string) => element.getAttribute(name) || undefined
  const conditions = first('Conditions')
  return {
    id: root.getAttribute('ID')!,
    version: attribute(root, 'Version'),
    issuer: textOf(first('Issuer')),
    issueInstant: attribute(root, 'IssueInstant'),
    subject: {
      nameId: textOf(first('NameID')),
      nameFormat: first('NameID')?.getAttribute('Format') ?? undefined,
      confirmations: all(root, ASSERTION, 'SubjectConfirmation').map((confirmation) => {
        const data = all(confirmation, ASSERTION, 'SubjectConfirmationData')[0]!
        return {
          method: attribute(confirmation, 'Method'),
          recipient: attribute(data, 'Recipient'),
          notBefore: attribute(data, 'NotBefore'),
          notOnOrAfter: attribute(data, 'NotOnOrAfter'),
          inResponseTo: attribute(data, 'InResponseTo'),
        }
      }),
    },
    conditions: conditions && {
      notBefore: attribute(conditions, 'NotBefore'),
      notOnOrAfter: attribute(conditions, 'NotOnOrAfter'),
      audiences: all(conditions, ASSERTION, 'AudienceRestriction').map((restriction) =>
        all(restriction, ASSERTION, 'Audience').map((audience) => textOf(audience) ?? ''),
      ),
      unknown: [],
    },
    authentications: all(root, ASSERTION, 'AuthnStatement').map((statement) => ({
      authnInstant: attribute(statement, 'AuthnInstant'),
      sessionNotOnOrAfter: attribute(statement, 'SessionNotOnOrAfter'),
    })),
    attributes: all(root, ASSERTION, 'Attribute').map((each) => ({
      name: attribute(each, 'Name') ?? '',
      values: all(each, ASSERTION, 'AttributeValue').map((value) => textOf(value) ?? ''),
    })),
  }
}

const refused = (reason: string) => new SamlError(samlMessages.extract(reason))

async function readAssertion(
  xml: string,
  certificates: readonly string[],
): Promise<SignedAssertion> {
  const [assertion] = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml) ?? []
  if (!assertion) throw refused('there is no assertion')
  const value = /<ds:SignatureValue>([\w+/=]+)<\/ds:SignatureValue>/.exec(assertion)?.[1]
  if (!value) throw new SamlError(samlMessages.unsigned)
  const text = assertion.replace(/<ds:Signature .*<\/ds:Signature>/s, '')
  if (!(await isSigned(text, value, certificates))) throw refused('the signature does not match')
  return assertionOf(rootOf(text))
}

function readResponse(xml: string): SamlResponse {
  const root = rootOf(xml)
  if (root.localName !== 'Response' || root.namespaceURI !== PROTOCOL) {
    throw new SamlError(samlMessages.parse('it is not a samlp:Response'))
  }
  return {
    version: root.getAttribute('Version') || undefined,
    issuer: textOf(all(root, ASSERTION, 'Issuer')[0]),
    destination: root.getAttribute('Destination') || undefined,
    inResponseTo: root.getAttribute('InResponseTo') || undefined,
    status: all(root, PROTOCOL, 'StatusCode').map((code) => code.getAttribute('Value') ?? ''),
    assertion: (certificates) => readAssertion(xml, certificates),
  }
}

export const demoSaml: Saml = {
  async fetchMetadata() {
    throw new SamlError(messages.query('the demo cannot reach other sites; choose XML instead'))
  },
  readMetadata: async (xml) => readMetadata(xml),
  // Nothing leaves the page, so no other party checks its signatures.
  requireKeyPair: async () => {},
  signIn: {
    // Requests only reach the demo's provider, which does not verify them.
    sign: async () => '',
    readResponse: async (xml) => readResponse(xml),
  },
}
