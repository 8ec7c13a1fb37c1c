import { Disk, DiskCreate } from './schemas.ts'
import { diskStates, diskTypes } from './rules.ts'
import { usual } from '../../kinds/usual.ts'

export const diskOperations = usual('disk', { item: Disk })({
  disk_list: {},
  disk_search: {
    columns: ['state', 'type', 'size'],
    filters: { state: diskStates, type: diskTypes },
  },
  disk_create: {
    permission: { project: 'create', snapshot: 'read', image: 'read', silo_image: 'read' },
    body: DiskCreate,
    transaction: 'concurrent',
  },
  disk_view: {},
  disk_delete: { summary: 'Delete a detached or faulted disk', transaction: 'concurrent' },
  disk_deletion: {},
})
