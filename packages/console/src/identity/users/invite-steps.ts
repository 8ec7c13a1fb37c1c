/** The calls of an invitation, one after the other. Each can be repeated after a failure. */
import type { User, UserLink } from '@steading/api/client'
import { call, readFresh } from '../../data/api.ts'
import { call as step, idOf, type Step } from '../../workspace/as-code/steps.ts'
import {
  type PolicyPlace,
  policyWith,
  replacePolicy,
  replacement,
  type Role,
  rolesOf,
} from '../access/policies.ts'
import { policyQuery } from '../access/policy-query.ts'
import { NO_ROLE } from '../access/role-fields.tsx'
import { describedPassword, passwordOf } from './password-fields.tsx'

export interface InviteValues {
  /** A user name or a mail address. */
  name: string
  /** The user name, if `name` is a mail address. */
  userName: string
  siloRole: string
  project: string
  projectRole: string
  how: 'mail' | 'copy' | 'password'
  password: string
}

export const isAddress = (name: string): boolean => name.includes('@')
export const userNameIn = ({ name, userName }: Pick<InviteValues, 'name' | 'userName'>): string =>
  isAddress(name) ? userName : name
const addressOf = ({ name }: InviteValues): string | undefined =>
  isAddress(name) ? name.trim() : undefined

const signIn = ({ how, password }: InviteValues) =>
  how === 'password'
    ? ({ mode: 'password', password } as const)
    : ({ mode: 'login_disallowed', password: '' } as const)

interface Given {
  place: PolicyPlace
  role: Role
}

/** The roles that the person gets. */
function rolesOfInvited(
  { siloRole, project, projectRole }: InviteValues,
  silo: string | undefined,
): Given[] {
  const onSilo = { level: 'silo', ...(silo === undefined ? {} : { silo }) } as const
  return [
    ...(siloRole === NO_ROLE ? [] : [{ place: onSilo, role: siloRole as Role }]),
    ...(project === '' || projectRole === NO_ROLE
      ? []
      : [{ place: { level: 'project', project } as const, role: projectRole as Role }]),
  ]
}

const asUser = (identityId: string) => ({ identityId, identityType: 'silo_user' }) as const

interface Where {
  /** Name of the silo. */
  silo: string
  /** The silo, if it is not the user's own. */
  other: string | undefined
}

/** The call after the roles: the link, or only the mail address. */
function lastStep(values: InviteValues, userId: string, { silo }: Where): Step[] {
  const mailAddress = addressOf(values)
  const args = { path: { userId }, query: { silo } }
  if (values.how !== 'password') {
    return [step('userLinkCreate', { ...args, body: { delivery: values.how, mailAddress } })]
  }
  return mailAddress === undefined
    ? []
    : [step('userMailAddressUpdate', { ...args, body: { mailAddress } })]
}

/** The same as code. Policies begin empty there, because their contents are read while it runs. */
export function inviteCode(values: InviteValues, where: Where): Step[] {
  const body = { externalId: userNameIn(values), password: describedPassword(signIn(values)) }
  return [
    step('localIdpUserCreate', { query: { silo: where.silo }, body }, { idAs: 'user' }),
    ...rolesOfInvited(values, where.other).map(({ place, role }) =>
      replacement(place, policyWith({ roleAssignments: [] }, asUser(idOf('user')), role)),
    ),
    ...lastStep(values, idOf('user'), where),
  ]
}

/**
 * Invites a person.
 * @param made the user, if an earlier attempt has created it
 * @param onMade called with a new user, from which a further attempt goes on
 * @returns the link, unless the person gets a password
 * @throws ApiError of the first call that fails
 */
export async function invite(
  values: InviteValues,
  where: Where,
  made: User | undefined,
  onMade: (user: User) => void,
): Promise<UserLink | undefined> {
  let user = made
  if (!user) {
    const body = { externalId: userNameIn(values), password: passwordOf(signIn(values)) }
    user = await call('localIdpUserCreate', { query: { silo: where.silo }, body })
    onMade(user)
  } else if (values.how === 'password') {
    // The earlier attempt may have made the user for a link.
    await call('localIdpUserSetPassword', {
      path: { userId: user.id },
      query: { silo: where.silo },
      body: passwordOf(signIn(values)),
    })
  }
  // Before the link: who follows it at once finds the roles.
  for (const { place, role } of rolesOfInvited(values, where.other)) {
    const from = await readFresh(policyQuery(place))
    if (rolesOf(from).get(user.id)?.role === role) continue
    await replacePolicy(place, { from, to: policyWith(from, asUser(user.id), role) })
  }
  const args = { path: { userId: user.id }, query: { silo: where.silo } }
  const mailAddress = addressOf(values)
  if (values.how !== 'password') {
    return call('userLinkCreate', { ...args, body: { delivery: values.how, mailAddress } })
  }
  if (mailAddress !== undefined) {
    await call('userMailAddressUpdate', { ...args, body: { mailAddress } })
  }
  return undefined
}
