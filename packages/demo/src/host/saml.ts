/**
 * SAML as far as a page can do it: providers can be made and looked at, but nobody can sign in through
 * them, and nothing can be fetched from other sites.
 */
import { identityProviderMessages as messages } from '@steading/api/rules'
import { type ProviderMetadata, type Saml, SamlError } from '@steading/control-plane'

const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata'
const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'
const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'

function readMetadata(xml: string): ProviderMetadata {
  const root = new DOMParser().parseFromString(xml, 'text/xml').documentElement
  if (root.localName !== 'EntityDescriptor' || root.namespaceURI !== METADATA) {
    throw new SamlError(messages.parse('it is not an md:EntityDescriptor'))
  }
  const [provider] = root.getElementsByTagNameNS(METADATA, 'IDPSSODescriptor')
  if (!provider) throw new SamlError(messages.noProvider)
  const certificates = [...provider.getElementsByTagNameNS(SIGNATURE, 'X509Certificate')].map(
    ({ textContent }) => textContent.replaceAll(/\s/g, ''),
  )
  if (certificates.length === 0) throw new SamlError(messages.noKey)
  const ssoUrl = [...provider.getElementsByTagNameNS(METADATA, 'SingleSignOnService')]
    .find((service) => service.getAttribute('Binding') === REDIRECT)
    ?.getAttribute('Location')
  if (!ssoUrl) throw new SamlError(messages.noRedirect)
  return { ssoUrl, certificates }
}

export const demoSaml: Saml = {
  async fetchMetadata() {
    throw new SamlError(messages.query('the demo cannot reach other sites; choose XML instead'))
  },
  readMetadata: async (xml) => readMetadata(xml),
  // Nothing is ever signed with it.
  requireKeyPair: async () => {},
}
