/** How something stands to what is to be deleted: goes with it, stays without it, or is in the way. */
export const deletionRelations = ['goes', 'stays', 'blocks'] as const
export type DeletionRelation = (typeof deletionRelations)[number]
