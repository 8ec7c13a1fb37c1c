import { jsonColumn } from '../../../kernel/db/json-column.ts'

/** Attributes of users that this server only stores for identity providers. */
export interface ScimUserTable {
  user_id: string
  /** JSON: name, displayName and emails. */
  profile: string
}

/** The column `profile`. */
export const scimProfile = jsonColumn<Record<string, unknown>>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    scim_user: ScimUserTable
  }
}
