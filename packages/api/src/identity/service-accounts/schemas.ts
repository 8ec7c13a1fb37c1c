import { description, identity, identityCreate, Name, record, uuid } from '../../schema.ts'

/** A service account. Its id is also that of a user of the silo, which policies name. */
export const ServiceAccount = record('ServiceAccount', {
  ...identity,
  silo_id: uuid,
  /** Null for one of the silo. */
  project_id: uuid.nullable(),
})
export const ServiceAccountCreate = record('ServiceAccountCreate', identityCreate)
export const ServiceAccountUpdate = record('ServiceAccountUpdate', {
  name: Name.nullable().optional(),
  description: description.nullable().optional(),
})
