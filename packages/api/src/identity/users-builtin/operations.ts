import { identity, record } from '../../schema.ts'
import { usual } from '../../kinds/usual.ts'

const UserBuiltin = record('UserBuiltin', identity)

export const userBuiltinOperations = usual('fleet', {
  item: UserBuiltin,
  id: 'user_builtin',
  path: '/v1/system/users-builtin/{user}',
  tag: 'system/silos',
})({
  user_builtin_list: {
    summary: 'List the built-in users',
    permission: { fleet: 'read' },
    sort: 'name',
  },
  user_builtin_view: { summary: 'Show a built-in user' },
})
