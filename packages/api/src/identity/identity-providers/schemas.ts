import { BODY_MAX } from '../../rules/limits.ts'
import { URL_MAX } from '../../rules/urls.ts'
import {
  boolean,
  identity,
  identityCreate,
  longText,
  named,
  oneOf,
  record,
  shortText,
  string,
  tagged,
  text,
} from '../../schema.ts'

export const IdentityProviderType = named('IdentityProviderType', oneOf('saml'))

export const IdentityProvider = record('IdentityProvider', {
  ...identity,
  provider_type: IdentityProviderType,
})

const address = text(URL_MAX)

const settings = {
  /** Assertion consumer URL. */
  acs_url: address,
  group_attribute_name: shortText.nullable().optional(),
  idp_entity_id: address,
  slo_url: address,
  /** Entity ID by which the provider knows the silo. */
  sp_client_id: address,
  technical_contact_email: shortText,
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
  /**
   * Whether commas are part of the names of groups; otherwise they separate names within a value.
   * Absent in a change: the present choice stays.
   */
  commas_in_groups: boolean.optional(),
})

export const IdpMetadataSource = named(
  'IdpMetadataSource',
  tagged('type', { url: { url: text(URL_MAX) }, base64_encoded_xml: { data: text(BODY_MAX) } }),
)

/** Both in base64 of DER: an X.509 certificate, and an RSA key in PKCS #1. */
export const DerEncodedKeyPair = record('DerEncodedKeyPair', {
  private_key: longText,
  public_cert: longText,
})

export const SamlIdentityProviderCreate = record('SamlIdentityProviderCreate', {
  ...identityCreate,
  ...settings,
  idp_metadata_source: IdpMetadataSource,
  signing_keypair: DerEncodedKeyPair.nullable().default(null),
})
