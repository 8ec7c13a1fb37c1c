import { dateTime, record, string, uuid } from '../../schema.ts'

const fields = {
  id: uuid,
  time_created: dateTime,
  /** Null if it does not expire. */
  time_expires: dateTime.nullable().optional(),
}

/** A token without its secret, which is shown only once. */
export const ScimClientBearerToken = record('ScimClientBearerToken', fields)

/** A new token, with its secret. */
export const ScimClientBearerTokenValue = record('ScimClientBearerTokenValue', {
  ...fields,
  bearer_token: string,
})
