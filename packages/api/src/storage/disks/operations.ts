import { Disk, DiskCreate } from './schemas.ts'
import { diskStates, diskTypes } from './rules.ts'
import { usual } from '../../kinds/usual.ts'

export const diskOperations = usual('disk', { item: Disk })({
  list: {},
  search: { columns: ['state', 'type', 'size'], filters: { state: diskStates, type: diskTypes } },
  create: {
    permission: { project: 'create', snapshot: 'read', image: 'read', silo_image: 'read' },
    body: DiskCreate,
    transaction: 'concurrent',
  },
  view: {},
  delete: { summary: 'Delete a detached or faulted disk', transaction: 'concurrent' },
  deletion: {},
})
