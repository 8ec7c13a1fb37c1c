/** The kind of all things that something is done with, or how to tell the kind of each. */
export type KindOf<Kind extends string, Thing> = Kind | ((thing: Thing) => Kind)

export const kindOf = <Kind extends string, Thing>(kind: KindOf<Kind, Thing>, thing: Thing): Kind =>
  typeof kind === 'function' ? kind(thing) : kind
