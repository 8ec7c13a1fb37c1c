import {
  boolean,
  identity,
  identityCreate,
  named,
  oneOf,
  record,
  resultsPage,
  string,
  tagged,
} from '../../schema.ts'

export const IdentityProviderType = named('IdentityProviderType', oneOf('saml'))

export const IdentityProvider = record('IdentityProvider', {
  ...identity,
  provider_type: IdentityProviderType,
})
export const IdentityProviderResultsPage = resultsPage('IdentityProvider', IdentityProvider)

const settings = {
  /** Assertion consumer URL. */
  acs_url: string,
  group_attribute_name: string.nullable().optional(),
  idp_entity_id: string,
  slo_url: string,
  /** Entity ID by which the provider knows the silo. */
  sp_client_id: string,
  technical_contact_email: string,
}

export const SamlIdentityProvider = record('SamlIdentityProvider', {
  ...identity,
  ...settings,
  /** Base64 of DER. */
  public_cert: string.nullable().optional(),
})

/** Sign-in settings of a provider, in addition to the fields known to existing clients. */
export const SamlSignInSettings = record('SamlSignInSettings', {
  /**
   * Whether the provider may send unsolicited responses. With such a response, a malicious page can
   * sign a visitor in as somebody else.
   */
  idp_initiated: boolean,
})

export const IdpMetadataSource = named(
  'IdpMetadataSource',
  tagged('type', { url: { url: string }, base64_encoded_xml: { data: string } }),
)

/** Both in base64 of DER: an X.509 certificate, and an RSA key in PKCS #1. */
export const DerEncodedKeyPair = record('DerEncodedKeyPair', {
  private_key: string,
  public_cert: string,
})

export const SamlIdentityProviderCreate = record('SamlIdentityProviderCreate', {
  ...identityCreate,
  ...settings,
  idp_metadata_source: IdpMetadataSource,
  signing_keypair: DerEncodedKeyPair.nullable().default(null),
})
