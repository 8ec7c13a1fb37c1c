/** Groups of instances that shall, or shall not, share a sled (control plane section 9). */
export const AFFINITY_GROUP_MAX_MEMBERS = 32
/** Of each kind. */
export const INSTANCE_MAX_AFFINITY_GROUPS = 16
/** Type of a group, by its kind: the two kinds share one list. */
export const affinityTypeOf = {
  anti_affinity_group: 'anti-affinity',
  affinity_group: 'affinity',
} as const
export const affinityTypes = [
  affinityTypeOf.anti_affinity_group,
  affinityTypeOf.affinity_group,
] as const
/** Outcome of a start that a group does not permit. */
export const affinityPolicies = ['allow', 'fail'] as const
