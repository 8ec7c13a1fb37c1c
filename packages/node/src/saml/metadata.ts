/** Metadata of identity providers. */
import { X509Certificate } from 'node:crypto'
import { identityProviderMessages, SAML_ELEMENTS_MAX } from '@steading/api/rules'
import { type ProviderMetadata, SamlError } from '@steading/control-plane/ports'
import { attribute, children, elementsOf, isNamed, parseXml, textOf, XmlError } from './xml.ts'

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

function parse(xml: string): Element {
  try {
    const root = parseXml(xml, { comments: true, elements: SAML_ELEMENTS_MAX.metadata })
    if (!isNamed(root, 'metadata', 'EntityDescriptor')) {
      throw new XmlError('it is not an md:EntityDescriptor')
    }
    return root
  } catch (error) {
    const reason = error instanceof XmlError ? error.message : 'it cannot be read'
    throw new SamlError(identityProviderMessages.parse(reason))
  }
}

/** A certificate in one line; undefined if it is invalid. */
function certificateOf(text: string | undefined): string | undefined {
  try {
    return new X509Certificate(Buffer.from(text ?? '', 'base64')).raw.toString('base64')
  } catch {
    return undefined
  }
}

const isWebAddress = (url: string | undefined): url is string =>
  url !== undefined && URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)

/** @throws SamlError */
export function readMetadata(xml: string): ProviderMetadata {
  const [provider] = children(parse(xml), 'metadata', 'IDPSSODescriptor')
  if (!provider) throw new SamlError(identityProviderMessages.noProvider)
  const certificates = children(provider, 'metadata', 'KeyDescriptor')
    .filter((key) => (attribute(key, 'use') ?? 'signing') === 'signing')
    .flatMap((key) => [...elementsOf(key)])
    .filter((element) => isNamed(element, 'signature', 'X509Certificate'))
    .flatMap((element) => certificateOf(textOf(element)) ?? [])
  if (certificates.length === 0) throw new SamlError(identityProviderMessages.noKey)
  const ssoUrl = children(provider, 'metadata', 'SingleSignOnService')
    .filter((service) => attribute(service, 'Binding') === REDIRECT)
    .map((service) => attribute(service, 'Location'))
    .find(isWebAddress)
  if (!ssoUrl) throw new SamlError(identityProviderMessages.noRedirect)
  return { ssoUrl, certificates: [...new Set(certificates)] }
}
