import { dateTime, record, string, uuid } from '../../schema.ts'

const fields = {
  id: uuid,
  time_created: dateTime,
  /** Null: it does not expire. */
  time_expires: dateTime.nullable().optional(),
}

/** What is known of a token once it has been shown. */
export const ScimClientBearerToken = record('ScimClientBearerToken', fields)

/** A new token, with its secret. */
export const ScimClientBearerTokenValue = record('ScimClientBearerTokenValue', {
  ...fields,
  bearer_token: string,
})
