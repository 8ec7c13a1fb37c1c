import { shortText } from '../../schema.ts'
import { Role } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const roleOperations = usual('fleet', {
  item: Role,
  id: 'role',
  path: '/v1/system/roles/{role_name}',
  tag: 'roles',
})({
  role_list: { summary: 'List all roles', permission: { fleet: 'read' }, sort: 'none' },
  role_view: { summary: 'Show a role', params: { role_name: shortText } },
})
