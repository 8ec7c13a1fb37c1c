import { named, record, string, text } from '../../schema.ts'

const pattern = '[a-z-]+\\.[a-z-]+'
const ROLE_NAME_MAX = 63

/** A level and its role: `silo.admin`. */
const RoleName = named(
  'RoleName',
  text(ROLE_NAME_MAX, { pattern }, (value) =>
    value.length <= ROLE_NAME_MAX && new RegExp(`^${pattern}$`).test(value)
      ? undefined
      : `invalid role name: expected a level and a role, like "silo.admin"`,
  ),
)
export const Role = record('Role', { name: RoleName, description: string })
