/** Groups of instances that shall, or shall not, share a sled (control plane section 9). */
export const AFFINITY_GROUP_MAX_MEMBERS = 32
/** Of each kind. */
export const INSTANCE_MAX_AFFINITY_GROUPS = 16
/** The words for the two kinds of groups, which one list shows together. */
export const affinityTypes = ['anti-affinity', 'affinity'] as const
/** What becomes of a start that a group stands against. */
export const affinityPolicies = ['allow', 'fail'] as const
