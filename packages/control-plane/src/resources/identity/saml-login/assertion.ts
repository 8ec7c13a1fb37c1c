/** Checks that a signed assertion is about this user, here and now (SAML 2.0 profiles, 4.1.4). */
import {
  nameFormats,
  SAML_CLOCK_SKEW_MS,
  SAML_NAME_MAX,
  samlMessages,
  nameTextProblem,
} from '@steading/api/rules'
import { groupNames } from '../auth/groups-of-claim.ts'
import { fail } from '../../../kernel/errors.ts'
import type { Row } from '../../../kernel/kinds.ts'
import type {
  SamlResponse,
  SignedAssertion,
  SubjectConfirmation,
} from '../../../kernel/ports/saml.ts'

type Provider = Row<'saml_identity_provider'>

const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success'
const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

const refusal = (reason: string) => fail.invalidRequest(samlMessages.extract(reason))

/** The contents of a valid assertion. */
export interface Assertion {
  id: string
  nameId: string
  /** Whether the name is the same in upper and lower case. */
  anyCase: boolean
  /** Distinct names of the groups. */
  groups: string[]
  /** The request it answers; undefined if the provider began the sign-in. */
  inResponseTo: string | undefined
  /** From this time on it would be refused as expired. */
  expires: Date
  /** Latest end of the session; undefined if the provider gives none. */
  sessionEnds: Date | undefined
}

/** A time of the document, in milliseconds; refuses the document if it is invalid. */
function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(time)) throw refusal('a time is not valid')
  return time
}

interface Window {
  notBefore?: string
  notOnOrAfter?: string
}

/** Refuses a window that has not begun or is over, with a tolerance for differing clocks. */
function checkTime({ notBefore, notOnOrAfter }: Window, now: Date): void {
  const present = now.getTime()
  const [start, end] = [timeOf(notBefore), timeOf(notOnOrAfter)]
  if (start !== undefined && present + SAML_CLOCK_SKEW_MS < start) {
    throw refusal('it is not valid yet')
  }
  if (end !== undefined && present - SAML_CLOCK_SKEW_MS >= end) throw refusal('it has expired')
}

/** Refuses a statement of the future, with a tolerance for differing clocks. */
function checkPast(text: string | undefined, now: Date): void {
  const time = timeOf(text)
  if (time !== undefined && time > now.getTime() + SAML_CLOCK_SKEW_MS) {
    throw refusal(samlMessages.future)
  }
}

/** @throws ApiError 400 if a response does not come from the provider */
export function checkIssuer({ issuer }: SamlResponse, provider: Provider): void {
  if (issuer === undefined) throw fail.invalidRequest(samlMessages.noIssuer)
  if (issuer.trim() === '') throw fail.invalidRequest(samlMessages.blankIssuer)
  if (issuer !== provider.idp_entity_id) {
    throw fail.invalidRequest(
      samlMessages.otherIssuer(issuer.slice(0, SAML_NAME_MAX), provider.idp_entity_id),
    )
  }
}

/** @throws ApiError 400 if a response is for another service, or reports a failure */
export function checkResponse(response: SamlResponse, provider: Provider): void {
  if (response.version !== '2.0') throw refusal('the response is not of SAML 2.0')
  if (response.destination !== undefined && response.destination !== provider.acs_url) {
    throw refusal('the response is meant for another destination')
  }
  const [status] = response.status
  if (status !== SUCCESS) {
    const words = response.status.map((code) => code.split(':').at(-1)!.slice(0, 40))
    throw refusal(`the identity provider reports ${words.join(', ') || 'no status'}`)
  }
}

/** The confirmation that the bearer of the assertion is its subject. */
function confirmationOf(
  confirmations: readonly SubjectConfirmation[],
  provider: Provider,
  now: Date,
): SubjectConfirmation {
  const bearers = confirmations.filter(({ method }) => method === BEARER)
  const here = bearers.filter(({ recipient }) => recipient === provider.acs_url)
  const [confirmation] = here
  if (bearers.length === 0) throw refusal('its bearer is not confirmed')
  if (!confirmation) throw refusal('it is meant for another recipient')
  if (here.length > 1) throw refusal('its bearer is confirmed more than once')
  if (confirmation.notOnOrAfter === undefined) throw refusal('it does not say when it expires')
  checkTime(confirmation, now)
  return confirmation
}

function checkConditions(
  { conditions }: SignedAssertion,
  { sp_client_id }: Provider,
  now: Date,
): void {
  if (!conditions) throw refusal('it has no conditions')
  checkTime(conditions, now)
  if (conditions.unknown.length > 0) throw refusal('it has conditions that are not known')
  const { audiences } = conditions
  if (audiences.length === 0 || audiences.some((each) => !each.includes(sp_client_id))) {
    throw refusal('it is meant for another audience')
  }
}

/** The names in the attribute with the groups. */
function groupsOf({ attributes }: SignedAssertion, provider: Provider): string[] {
  const values = attributes
    .filter((attribute) => attribute.name === provider.group_attribute_name)
    .flatMap((attribute) => attribute.values)
  const names = groupNames(values, provider.commas_in_groups === 1, refusal)
  for (const each of names) {
    if (each.length > SAML_NAME_MAX || nameTextProblem(each))
      throw refusal('a group has no valid name')
  }
  return names
}

function nameOf({ subject }: SignedAssertion): string {
  if (!subject) throw fail.invalidRequest(samlMessages.noSubject)
  if (subject.nameFormat === nameFormats.transient) throw refusal(samlMessages.transient)
  const nameId = subject.nameId?.trim()
  if (!nameId) throw fail.invalidRequest(samlMessages.noNameId)
  if (nameId.length > SAML_NAME_MAX || nameTextProblem(nameId)) {
    throw refusal('its subject has no valid name')
  }
  return nameId
}

/** @throws ApiError 400 */
export function checkAssertion(
  assertion: SignedAssertion,
  response: SamlResponse,
  provider: Provider,
  now: Date,
): Assertion {
  if (assertion.version !== '2.0') throw refusal('it is not of SAML 2.0')
  if (assertion.issuer !== provider.idp_entity_id) throw refusal('it has another issuer')
  checkPast(assertion.issueInstant, now)
  const nameId = nameOf(assertion)
  const confirmation = confirmationOf(assertion.subject!.confirmations, provider, now)
  checkConditions(assertion, provider, now)
  if (assertion.authentications.length === 0) throw refusal('no user has signed in')
  const ends = assertion.authentications.flatMap(({ authnInstant, sessionNotOnOrAfter }) => {
    checkPast(authnInstant, now)
    checkTime({ notOnOrAfter: sessionNotOnOrAfter }, now)
    return timeOf(sessionNotOnOrAfter) ?? []
  })
  const inResponseTo = confirmation.inResponseTo ?? response.inResponseTo
  if (response.inResponseTo !== undefined && response.inResponseTo !== inResponseTo) {
    throw refusal('the response and its assertion answer different requests')
  }
  return {
    id: assertion.id,
    nameId,
    anyCase: assertion.subject!.nameFormat === nameFormats.emailAddress,
    groups: groupsOf(assertion, provider),
    inResponseTo,
    expires: new Date(timeOf(confirmation.notOnOrAfter)! + SAML_CLOCK_SKEW_MS),
    sessionEnds: ends.length > 0 ? new Date(Math.min(...ends) + SAML_CLOCK_SKEW_MS) : undefined,
  }
}
