/** Policies of the three levels, and operations on their assignments. */
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
import { call, refetchShown } from '../../data/api.ts'
import type { ApiError } from '../../data/errors.ts'

/** The owner of a policy. */
export type PolicyPlace =
  | { level: 'fleet' }
  /** The user's own silo, or one that an operator views. */
  | { level: 'silo'; silo?: string }
  | { level: 'project'; project: string }
export type Level = PolicyPlace['level']
export type Role = FleetRole | SiloRole

export type Assignment = { identityId: string; identityType: IdentityType; roleName: Role }
export type Policy = { roleAssignments: Assignment[] }
/** Ids alone identify users and groups. */
export type Identity = Pick<Assignment, 'identityId' | 'identityType'>

const updates = {
  fleet: 'systemPolicyUpdate',
  silo: 'policyUpdate',
  project: 'projectPolicyUpdate',
} as const satisfies Record<Level, string>

/** The operation that replaces a policy. */
export const policyUpdateOf = (place: PolicyPlace) =>
  place.level === 'silo' && place.silo ? 'siloPolicyUpdate' : updates[place.level]

const without = ({ roleAssignments }: Policy, identityId: string): Assignment[] =>
  roleAssignments.filter((assignment) => assignment.identityId !== identityId)

/** A policy in which an identity has only this role; without a role, none. */
export const policyWith = (policy: Policy, identity: Identity, roleName?: Role): Policy => ({
  roleAssignments: [
    ...without(policy, identity.identityId),
    ...(roleName ? [{ ...identity, roleName }] : []),
  ],
})

export const strongest = (roles: readonly Role[]): Role | undefined =>
  projectRoles.find((role) => roles.includes(role))

/** The strongest role of each identity in a policy. */
export function rolesOf({ roleAssignments }: Policy): Map<string, Identity & { role: Role }> {
  const roles = new Map<string, Identity & { role: Role }>()
  for (const { roleName, ...identity } of roleAssignments) {
    const before = roles.get(identity.identityId)?.role
    const role = strongest(before ? [before, roleName] : [roleName])!
    roles.set(identity.identityId, { ...identity, role })
  }
  return roles
}

/** Whether a change removes the last admin assignment. */
export const losesLastAdmin = (before: Policy, after: Policy): boolean => {
  const hasAdmin = ({ roleAssignments }: Policy) =>
    roleAssignments.some(({ roleName }) => roleName === 'admin')
  return hasAdmin(before) && !hasAdmin(after)
}

/** The call that replaces a policy. */
export function replacement(place: PolicyPlace, body: Policy) {
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

/** The change of a policy, for computing losses. */
export function changeOf(place: PolicyPlace, policy: Policy): AccessChange {
  const { level, ...where } = place
  return { type: `${level}_policy`, policy, ...where } as AccessChange
}

export const replacementCode = (place: PolicyPlace, policy: Policy) =>
  asCode(replacement(place, policy))

export type Change = {
  /** The policy as read. */
  from: Policy
  to: Policy
}

/**
 * Replaces a policy unless it has changed since it was read.
 * @throws ApiError
 */
export function replacePolicy(place: PolicyPlace, { from, to }: Change): Promise<unknown> {
  const { operation, args } = replacement(place, to)
  return call(operation, args, { ifMatch: entityTagOf(from) })
}

/** The replacement of a policy by a form or a menu. */
export function usePolicyUpdate(place: PolicyPlace, onDone?: () => void) {
  return useMutation<unknown, ApiError, Change>({
    mutationFn: (change) => replacePolicy(place, change),
    onSettled: refetchShown,
    onSuccess: onDone,
  })
}

/** A role in a sentence. */
export const wordsOfRole = (role: Role): string => role.replaceAll('_', ' ')
