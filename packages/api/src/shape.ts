/**
 * Form of a value: a named schema, a JSON type, or an object with properties, of which those that end
 * in `?` may be absent. Other forms have a single key: `?` may be null, `[]` is a list, `*` a map, `|`
 * one of several forms, and `=` one of several words.
 */
export type Shape = string | { readonly [property: string]: Shape | readonly (Shape | number)[] }
