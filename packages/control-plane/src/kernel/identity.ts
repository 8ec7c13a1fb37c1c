import type { Identity } from './db/schema.ts'

/** The fields of a row with which most answers begin. */
export const identityOf = ({ id, name, description, time_created, time_modified }: Identity) => ({
  id,
  name,
  description,
  time_created,
  time_modified,
})
