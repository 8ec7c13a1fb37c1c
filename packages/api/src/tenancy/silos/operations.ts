import { identityModes, Silo, SiloCreate } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const siloOperations = usual('silo', { item: Silo, path: '/v1/system/silos/{silo}' })({
  list: { summary: 'List the discoverable silos', permission: { fleet: 'list' } },
  search: { filters: { identity_mode: identityModes } },
  create: {
    // The handler requires more for mapped fleet roles, which can create fleet admins.
    permission: { fleet: 'create' },
    body: SiloCreate,
  },
  view: {},
  delete: { summary: 'Delete a silo without projects, with its users and groups' },
})
