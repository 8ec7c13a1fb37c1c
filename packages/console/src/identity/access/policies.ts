/** The policies of the three levels, and what is done with their lists. */
import type {
  AccessChange,
  FleetRolePolicy,
  IdentityType,
  ProjectRolePolicy,
} from '@steading/api/client'
import { entityTagOf } from '@steading/api/client'
import { type FleetRole, projectRoles, type SiloRole } from '@steading/api/rules'
import { useMutation } from '@tanstack/react-query'
import { call as step } from '../../workspace/as-code/steps.ts'
import { asCode } from '../../workspace/as-code/as-code.tsx'
import { call, invalidate } from '../../data/api.ts'
import type { ApiError } from '../../data/errors.ts'

/** What a policy belongs to. */
export type Place =
  | { level: 'fleet' }
  /** The own silo, or one that an operator looks at. */
  | { level: 'silo'; silo?: string }
  | { level: 'project'; project: string }
export type Level = Place['level']
export type Role = FleetRole | SiloRole

export type Assignment = { identityId: string; identityType: IdentityType; roleName: Role }
export type Policy = { roleAssignments: Assignment[] }
/** Users and groups are told apart by their ids alone. */
export type Identity = Pick<Assignment, 'identityId' | 'identityType'>

const updates = {
  fleet: 'systemPolicyUpdate',
  silo: 'policyUpdate',
  project: 'projectPolicyUpdate',
} as const satisfies Record<Level, string>

/** The operation that replaces a policy. */
export const policyUpdateOf = (place: Place) =>
  place.level === 'silo' && place.silo ? 'siloPolicyUpdate' : updates[place.level]

const without = ({ roleAssignments }: Policy, identityId: string): Assignment[] =>
  roleAssignments.filter((assignment) => assignment.identityId !== identityId)

/** A policy in which an identity has this role and no other; without a role, none. */
export const policyWith = (policy: Policy, identity: Identity, roleName?: Role): Policy => ({
  roleAssignments: [
    ...without(policy, identity.identityId),
    ...(roleName ? [{ ...identity, roleName }] : []),
  ],
})

export const strongest = (roles: readonly Role[]): Role | undefined =>
  projectRoles.find((role) => roles.includes(role))

/** The strongest role that a policy gives to each identity. */
export function rolesOf({ roleAssignments }: Policy): Map<string, Identity & { role: Role }> {
  const roles = new Map<string, Identity & { role: Role }>()
  for (const { roleName, ...identity } of roleAssignments) {
    const before = roles.get(identity.identityId)?.role
    const role = strongest(before ? [before, roleName] : [roleName])!
    roles.set(identity.identityId, { ...identity, role })
  }
  return roles
}

/** Whether a change takes away the last assignment of the role admin. */
export const losesLastAdmin = (before: Policy, after: Policy): boolean => {
  const hasAdmin = ({ roleAssignments }: Policy) =>
    roleAssignments.some(({ roleName }) => roleName === 'admin')
  return hasAdmin(before) && !hasAdmin(after)
}

/** The replacement of a policy, as a call. */
export function replacement(place: Place, body: Policy) {
  if (place.level === 'fleet') {
    return step('systemPolicyUpdate', { body: body as FleetRolePolicy })
  }
  const roles = body as ProjectRolePolicy
  if (place.level === 'project') {
    return step('projectPolicyUpdate', { path: { project: place.project }, body: roles })
  }
  return place.silo
    ? step('siloPolicyUpdate', { path: { silo: place.silo }, body: roles })
    : step('policyUpdate', { body: roles })
}

/** The change of a policy, for the question who loses what. */
export function changeOf(place: Place, policy: Policy): AccessChange {
  const { level, ...where } = place
  return { type: `${level}_policy`, policy, ...where } as AccessChange
}

export const replacementCode = (place: Place, policy: Policy) => asCode(replacement(place, policy))

export type Change = {
  /** The policy as it was read. */
  from: Policy
  to: Policy
}

/** What is shown next is what was written. */
export const policiesChanged = () =>
  invalidate('systemPolicyView', 'policyView', 'siloPolicyView', 'projectPolicyView')

/** Replaces a policy, unless it has changed since it was read. */
export function usePolicyUpdate(place: Place, onDone?: () => void) {
  return useMutation<unknown, ApiError, Change>({
    mutationFn: ({ from, to }) => {
      const { operation, args } = replacement(place, to)
      return call(operation, args, { ifMatch: entityTagOf(from) })
    },
    onSettled: policiesChanged,
    onSuccess: onDone,
  })
}

/** A role in a sentence. */
export const wordsOfRole = (role: Role): string => role.replaceAll('_', ' ')
