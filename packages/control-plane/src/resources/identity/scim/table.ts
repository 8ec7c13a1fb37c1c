import { jsonColumn } from '../../../kernel/db/json-column.ts'

/** What identity providers say of users and this server does not use, so that they find it again. */
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
