import { identityModes, Silo, SiloCreate } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const siloOperations = usual('silo', { item: Silo, path: '/v1/system/silos/{silo}' })({
  silo_list: { summary: 'List the discoverable silos', permission: { fleet: 'list' } },
  silo_search: { permission: { fleet: 'list' }, filters: { identity_mode: identityModes } },
  silo_create: {
    // The handler requires more for mapped fleet roles, which can create fleet admins.
    permission: { fleet: 'create' },
    body: SiloCreate,
  },
  silo_view: {},
  silo_delete: { summary: 'Delete a silo without projects, with its users and groups' },
})
