import { named, record, shortText, string, text } from '../../schema.ts'
import { usual } from '../../kinds/usual.ts'

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
const Role = record('Role', { name: RoleName, description: string })

export const roleOperations = usual('fleet', {
  item: Role,
  id: 'role',
  path: '/v1/system/roles/{role_name}',
  tag: 'roles',
})({
  role_list: { summary: 'List all roles', permission: { fleet: 'read' }, sort: 'none' },
  role_view: { summary: 'Show a role', params: { role_name: shortText } },
})
