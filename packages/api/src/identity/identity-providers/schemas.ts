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
  /** The address to which browsers bring the answers of the provider. */
  acs_url: string,
  group_attribute_name: string.nullable().optional(),
  idp_entity_id: string,
  slo_url: string,
  /** By what name the provider knows the silo. */
  sp_client_id: string,
  technical_contact_email: string,
}

export const SamlIdentityProvider = record('SamlIdentityProvider', {
  ...identity,
  ...settings,
  /** Base64 of DER. */
  public_cert: string.nullable().optional(),
})

/** How users may sign in through a provider, beside what existing clients know of it. */
export const SamlSignInSettings = record('SamlSignInSettings', {
  /**
   * Whether the provider may send answers that no browser has asked for. A foreign page can bring
   * such an answer and so sign a visitor in as somebody else.
   */
  idp_initiated: boolean,
})

export const IdpMetadataSource = named(
  'IdpMetadataSource',
  tagged('type', { url: { url: string }, base64_encoded_xml: { data: string } }),
)

/** Both in base64 of DER: X.509, and RSA in PKCS#1. */
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
