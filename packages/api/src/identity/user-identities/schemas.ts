import { dateTime, list, Name, oneOf, record, string, text, uint64, uuid } from '../../schema.ts'
import { OIDC_NAME_MAX } from '../oidc-providers/rules.ts'

/** The name by which a user signs in through an identity provider. */
export const UserIdentity = record('UserIdentity', {
  provider_id: uuid,
  provider_type: oneOf('saml', 'oidc'),
  provider_name: Name,
  name: string,
  time_created: dateTime,
})

export const UserIdentities = record('UserIdentities', { items: list(UserIdentity) })

export const UserIdentityCreate = record('UserIdentityCreate', {
  provider: uuid,
  /** As the provider spells it: the NameID of SAML, or the user claim of OpenID Connect. */
  name: text(OIDC_NAME_MAX),
})

/** Name and groups of a user at the last sign-in through a provider. */
const ProviderSignIn = record('ProviderSignIn', {
  time: dateTime,
  /** The name of the user at the provider. */
  name: string,
  groups: list(string),
})

export const LastProviderSignIn = record('LastProviderSignIn', {
  sign_in: ProviderSignIn.nullable(),
})

export const AdoptedUsers = record('AdoptedUsers', { count: uint64 })
