import { blankDisk, detachedDisk } from '../things.ts'
import type { Probes } from './probe.ts'
import { attachedDisk, fresh, ids, parents, server } from './world.ts'

export const disksProbes = {
  disk_list: { args: () => ({ query: parents }) },
  disk_create: {
    args: () => ({ query: parents, body: blankDisk(fresh()) }),
    about: ['project'],
  },
  disk_view: {
    'by name': { args: () => ({ params: { disk: 'data' }, query: parents }) },
    'by id': { args: () => ({ params: { disk: ids.data } }) },
  },
  disk_metrics_list: {
    args: () => ({
      params: { disk: 'data', metric: 'read' as const },
      query: {
        ...parents,
        start_time: '2026-01-01T00:00:00Z',
        end_time: '2026-01-02T00:00:00Z',
      },
    }),
  },
  // Attached, so it can be neither deleted nor imported to.
  disk_delete: { args: () => attachedDisk, passes: 400 },
  disk_grow: {
    args: () => ({ ...attachedDisk, body: { size: 2 ** 30 } }),
    passes: 400,
  },
  // The snapshot is of another disk.
  disk_roll_back: {
    args: async () => {
      const name = fresh()
      await detachedDisk(server.admin, parents, name)
      return { params: { disk: name }, query: parents, body: { snapshot: 'snap' } }
    },
    passes: 400,
  },
  disk_bulk_write_import_start: { args: () => attachedDisk, passes: 400 },
  disk_bulk_write_import: {
    args: () => ({ ...attachedDisk, body: { offset: 0, base64_encoded_data: '' } }),
    passes: 400,
  },
  disk_bulk_write_import_stop: { args: () => attachedDisk, passes: 400 },
  disk_finalize_import: { args: () => ({ ...attachedDisk, body: {} }), passes: 400 },
  disk_contents_write: {
    args: () => ({ ...attachedDisk, query: { ...parents, offset: 0 } }),
    passes: 400,
  },
  disk_import_view: { args: () => attachedDisk, passes: 400 },
  disk_contents: { args: () => attachedDisk },
  disk_checksum: { args: () => ({ ...attachedDisk, query: { ...parents, length: 512 } }) },
  disk_search: { args: () => ({ query: parents }) },
  disk_deletion: { args: () => attachedDisk },
} satisfies Partial<Probes>
