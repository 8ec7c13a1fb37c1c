import type { Row } from '../../../kernel/kinds.ts'

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** Escapes a text for XML; characters that XML does not allow are left out. */
export const escapeXml = (text: string): string =>
  text
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll(/[&<>"\t\n\r]/g, (character) => entities[character]!)

/** The metadata of this service for an identity provider (SAML 2.0 metadata). */
export function serviceMetadata({
  sp_client_id,
  acs_url,
  public_cert,
  technical_contact_email,
}: Row<'saml_identity_provider'>): string {
  const key = public_cert
    ? `
    <md:KeyDescriptor use="signing">
      <ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#">
        <ds:X509Data>
          <ds:X509Certificate>${escapeXml(public_cert)}</ds:X509Certificate>
        </ds:X509Data>
      </ds:KeyInfo>
    </md:KeyDescriptor>`
    : ''
  return `<?xml version="1.0" encoding="UTF-8"?>
<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escapeXml(sp_client_id)}">
  <md:SPSSODescriptor AuthnRequestsSigned="${public_cert !== null}" WantAssertionsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${key}
    <md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified</md:NameIDFormat>
    <md:AssertionConsumerService index="0" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${escapeXml(acs_url)}"/>
  </md:SPSSODescriptor>
  <md:ContactPerson contactType="technical">
    <md:EmailAddress>${escapeXml(technical_contact_email)}</md:EmailAddress>
  </md:ContactPerson>
</md:EntityDescriptor>
`
}
