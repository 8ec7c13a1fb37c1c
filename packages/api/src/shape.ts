/**
 * Form of a value: a named schema or a JSON type, or an object with properties, of which those that end in
 * `?` may be absent. Other forms have a single key: `?` may be null, `[]` is a list, `*` a map, `|` one
 * of some forms, and `=` one of some words.
 */
export type Shape = string | { readonly [property: string]: Shape | readonly (Shape | number)[] }
