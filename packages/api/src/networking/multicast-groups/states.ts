/** States of multicast groups. Separate from the rules, because the start of the console needs no others. */

export const multicastGroupStates = ['Creating', 'Active', 'Deleting'] as const
export type MulticastGroupState = (typeof multicastGroupStates)[number]
