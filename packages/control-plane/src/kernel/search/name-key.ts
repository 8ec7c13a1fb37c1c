import { nameKey } from '@steading/api/rules'

/** The columns of a name in the tables of searchable kinds; both are written together. */
export const named = <Name extends string | null>(name: Name) => ({
  name,
  name_key: (name === null ? null : nameKey(name)) as Name,
})
