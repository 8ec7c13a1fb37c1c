import {
  array,
  dateTime,
  integer,
  list,
  Name,
  named,
  NameOrId,
  oneOf,
  record,
  string,
  uuid,
} from '../../schema.ts'
import { TOKEN_PROJECTS_MAX, tokenAccesses } from './rules.ts'

/** A token without its secret, which is shown only to the device. */
export const DeviceAccessToken = record('DeviceAccessToken', {
  id: uuid,
  time_created: dateTime,
  /** Null if it does not expire. */
  time_expires: dateTime.nullable().optional(),
})

export const TokenAccess = named('TokenAccess', oneOf(...tokenAccesses))

export const AccessTokenCreate = record('AccessTokenCreate', {
  /** Unique among the tokens of the user. */
  name: Name,
  access: TokenAccess,
  /** The only projects in which the token has rights; null for all of them. */
  projects: array(NameOrId, TOKEN_PROJECTS_MAX, { minItems: 1 }).nullable().optional(),
  /** Lifetime; the longest one that the silo permits if absent. */
  ttl_seconds: integer('uint32', 'a nonzero u32', 1, 0xffffffff).nullable().optional(),
})

const detailFields = {
  id: uuid,
  /** Null for the token of a device. */
  name: Name.nullable(),
  access: TokenAccess,
  /** Null for all projects. */
  projects: list(
    record('AccessTokenProject', {
      id: uuid,
      /** Null if the project was deleted. */
      name: Name.nullable(),
    }),
  ).nullable(),
  time_created: dateTime,
  /** The address from which it was created; null if unknown, and for the token of a device. */
  created_address: string.nullable(),
  /** Null if it does not expire. */
  time_expires: dateTime.nullable(),
  /** Exact to a minute. A crash of the server may lose the newest use. Null if not used yet. */
  time_last_used: dateTime.nullable(),
  last_used_address: string.nullable(),
}

/** A token as its user sees it. */
export const AccessTokenDetails = record('AccessTokenDetails', detailFields)

/** A new token with its secret, which is not shown again. */
export const NewAccessToken = record('NewAccessToken', { ...detailFields, token: string })
