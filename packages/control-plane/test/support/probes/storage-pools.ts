import { addPoolRow } from '../storage-pools.ts'
import { blankDisk, smallInstance } from '../things.ts'
import { plain, type Probes } from './probe.ts'
import { attachedDisk, fresh, PROJECT, server } from './world.ts'

const aboutOne = async () => ({
  params: { pool: (await addPoolRow(server.db, fresh())).id },
})
const project = { params: { project: PROJECT } }

export const storagePoolsProbes = {
  storage_pool_search: plain,
  storage_pool_create: {
    args: () => {
      const name = fresh()
      const path = `/mnt/sim-${name.replaceAll('-', '')}`
      return { body: { name, description: '', type: 'directory' as const, path } }
    },
  },
  storage_pool_view: { args: aboutOne },
  storage_pool_update: {
    args: async () => ({ ...(await aboutOne()), body: { description: 'Slow' } }),
  },
  storage_pool_check: { args: aboutOne },
  storage_pool_make_default: { args: () => ({ params: { pool: 'default' } }) },
  storage_pool_delete: { args: aboutOne },
  silo_storage_pool_view: { args: () => ({ params: { silo: 'main' } }) },
  silo_storage_pool_update: {
    args: () => ({ params: { silo: 'main' }, body: { pool: null } }),
    about: ['silo', 'fleet'],
  },
  storage_pool_choice_list: { args: () => project },
  storage_pool_disk_create: {
    args: () => ({
      params: { ...project.params, pool: 'default' },
      body: blankDisk(fresh()),
    }),
    about: ['project'],
  },
  storage_pool_instance_create: {
    args: () => ({ ...project, body: smallInstance(fresh()) }),
    about: ['project'],
  },
  disk_storage_view: { args: () => attachedDisk },
  // It is there already, and nothing moves.
  disk_move: { args: () => ({ ...attachedDisk, body: { pool: 'default' } }), passes: 400 },
  disk_move_cancel: { args: () => attachedDisk, passes: 409 },
} satisfies Partial<Probes>
