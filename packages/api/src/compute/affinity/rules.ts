/**
 * Affinity groups: instances that should, or should not, share a sled (control plane section 9).
 */
export const AFFINITY_GROUP_MAX_MEMBERS = 32
/** Per kind of group. */
export const INSTANCE_MAX_AFFINITY_GROUPS = 16
/** The `type` of a group by its kind: both kinds appear in one list. */
export const affinityTypeOf = {
  anti_affinity_group: 'anti-affinity',
  affinity_group: 'affinity',
} as const
export const affinityTypes = [
  affinityTypeOf.anti_affinity_group,
  affinityTypeOf.affinity_group,
] as const
/** Outcome of a start that violates the group. */
export const affinityPolicies = ['allow', 'fail'] as const
