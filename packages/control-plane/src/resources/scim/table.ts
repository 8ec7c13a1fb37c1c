/** What identity providers say of users and this server does not use, so that they find it again. */
export interface ScimUserTable {
  user_id: string
  /** JSON: name, displayName and emails. */
  profile: string
}

declare module '../../kernel/db/schema.ts' {
  interface Database {
    scim_user: ScimUserTable
  }
}
