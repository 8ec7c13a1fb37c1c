/** Kinds of address lots. Separate from the rules, because the start of the console needs no others. */

export const addressLotKinds = ['infra', 'pool'] as const
export type AddressLotKind = (typeof addressLotKinds)[number]
