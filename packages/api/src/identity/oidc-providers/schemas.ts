import { PARTS_MAX } from '../../rules/limits.ts'
import { URL_MAX } from '../../rules/urls.ts'
import {
  array,
  boolean,
  description,
  filledText,
  identity,
  identityCreate,
  record,
  string,
  text,
} from '../../schema.ts'

const short = filledText(255)
const url = text(URL_MAX, { format: 'uri' })

const settings = {
  client_id: short,
  /** Scopes to request; one of them is `openid`. */
  scopes: array(short, PARTS_MAX),
  /**
   * Claim with the name by which users are known here. Users must not be able to change it at the
   * provider; `email` is accepted only with `email_verified`.
   */
  user_claim: short,
  /** Claim with the displayed name; null for the name of the user. */
  display_name_claim: short.nullable(),
  /** Claim with the names of the groups; null if the provider sends none. */
  groups_claim: short.nullable(),
  /** Address at the console to which browsers come back; registered at the provider. */
  redirect_uri: url,
}

/**
 * Whether signing out here also signs out at the provider, where that publishes
 * `end_session_endpoint`.
 */
const sign_out_at_provider = boolean

/**
 * Whether commas are part of the names of groups in a text; otherwise they separate names. The names
 * of a JSON list are always whole.
 */
const commas_in_groups = boolean

/** Never shown again; null for a client without a secret, which has PKCE alone. */
const client_secret = filledText(1024).nullable()

export const OidcIdentityProvider = record('OidcIdentityProvider', {
  ...identity,
  issuer: string,
  ...settings,
  sign_out_at_provider,
  commas_in_groups,
  /** Address for back-channel logout, to register at the provider. */
  logout_uri: string,
  /** Address to come back to after signing out at the provider, to register there. */
  signed_out_uri: string,
})

export const OidcIdentityProviderCreate = record('OidcIdentityProviderCreate', {
  ...identityCreate,
  issuer: url,
  ...settings,
  /** Absent: no. */
  sign_out_at_provider: sign_out_at_provider.optional(),
  /** Absent: no. */
  commas_in_groups: commas_in_groups.optional(),
  client_secret,
})

export const OidcIdentityProviderUpdate = record('OidcIdentityProviderUpdate', {
  description,
  ...settings,
  /** Absent: the present choice stays. */
  sign_out_at_provider: sign_out_at_provider.optional(),
  /** Absent: the present choice stays. */
  commas_in_groups: commas_in_groups.optional(),
  /** Absent: the present secret stays. */
  client_secret: client_secret.optional(),
})
