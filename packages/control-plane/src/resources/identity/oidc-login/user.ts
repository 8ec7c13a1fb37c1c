/** Reads the user of an ID token, by the claims that the administrator has chosen. */
import { nameTextProblem, OIDC_NAME_MAX, oidcMessages as messages } from '@steading/api/rules'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type { OidcUser } from '../../../kernel/ports/oidc.ts'
import { groupNames } from '../auth/groups-of-claim.ts'
import type { ProvidedUser } from '../auth/provision.ts'

type Provider = Row<'oidc_identity_provider'>
type Claims = OidcUser['claims']

/** Names of claims that are at another endpoint. */
const ELSEWHERE = '_claim_names'
const EMAIL = 'email'
const VERIFIED = 'email_verified'

const refusal = (reason: string) => fail.invalidRequest(messages.refused(reason))

/** A name; undefined if the claim is missing, empty, or no valid name. */
function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const name = value.trim()
  return name === '' || name.length > OIDC_NAME_MAX || nameTextProblem(name) ? undefined : name
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function groupsIn(claims: Claims, claim: string, provider: Provider): string[] {
  const value = claims[claim]
  if (value === undefined || value === null) {
    // Aggregated claims (Core 1.0, section 5.6.2): no groups here does not mean no groups.
    const elsewhere = claims[ELSEWHERE]
    if (isObject(elsewhere) && claim in elsewhere) throw refusal(messages.groupsElsewhere(claim))
    return []
  }
  // The names of a JSON list are whole; a text may be a list itself.
  const values = (Array.isArray(value) ? value : [value]) as unknown[]
  if (!values.every((each) => typeof each === 'string')) throw refusal(messages.badGroups(claim))
  const commasInNames = Array.isArray(value) || provider.commas_in_groups === 1
  const names = groupNames(values, commasInNames, refusal)
  if (!names.every((name) => nameIn(name) !== undefined)) throw refusal(messages.badGroups(claim))
  return names
}

/** Claims that a provider is asked for. */
export const claimsOf = (provider: Provider): string[] =>
  [
    provider.user_claim,
    provider.user_claim === EMAIL ? VERIFIED : null,
    provider.display_name_claim,
    provider.groups_claim,
  ].filter((claim) => claim !== null)

/** @throws ApiError 400 for claims that do not name a user */
export function userIn(claims: Claims, provider: Provider): ProvidedUser {
  const { user_claim, display_name_claim, groups_claim } = provider
  const nameId = nameIn(claims[user_claim])
  if (nameId === undefined) throw refusal(messages.noClaim(user_claim))
  // Users may enter any address at some providers.
  if (user_claim === EMAIL) {
    const verified = claims[VERIFIED]
    if (verified === undefined || verified === null) throw refusal(messages.noEmailVerified)
    // Some providers can send texts only.
    if (verified !== true && verified !== 'true') throw refusal(messages.unverifiedEmail)
  }
  return {
    nameId,
    anyCase: user_claim === EMAIL,
    displayName: display_name_claim === null ? undefined : nameIn(claims[display_name_claim]),
    groups: groups_claim === null ? [] : groupsIn(claims, groups_claim, provider),
  }
}
