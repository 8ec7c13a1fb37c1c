import { array, dateTime, Name, oneOf, record, string, uint64, uuid } from '../../schema.ts'

/** The name by which a user signs in through an identity provider. */
export const UserIdentity = record('UserIdentity', {
  provider_id: uuid,
  provider_type: oneOf('saml', 'oidc'),
  provider_name: Name,
  name: string,
  time_created: dateTime,
})

export const UserIdentities = record('UserIdentities', { items: array(UserIdentity) })

export const UserIdentityCreate = record('UserIdentityCreate', {
  provider: uuid,
  /** As the provider spells it: the NameID of SAML, or the user claim of OpenID Connect. */
  name: string,
})

export const AdoptedUsers = record('AdoptedUsers', { count: uint64 })
