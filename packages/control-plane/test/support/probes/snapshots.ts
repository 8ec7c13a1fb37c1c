import type { Probes } from './probe.ts'
import { fresh, ids, parents, server } from './world.ts'

export const snapshotsProbes = {
  snapshot_create: {
    args: () => ({ query: parents, body: { name: fresh(), description: '', disk: 'data' } }),
  },
  snapshot_delete: {
    async args() {
      const body = { name: fresh(), description: '', disk: 'data' }
      await server.admin.call('snapshot_create', { query: parents, body })
      return { params: { snapshot: body.name }, query: parents }
    },
  },
  snapshot_contents: { args: () => ({ params: { snapshot: 'snap' }, query: parents }) },
  snapshot_list: { args: () => ({ query: parents }) },
  snapshot_view: {
    'by name': { args: () => ({ params: { snapshot: 'snap' }, query: parents }) },
    'by id': { args: () => ({ params: { snapshot: ids.snapshot } }) },
  },
  snapshot_details_view: { args: () => ({ params: { snapshot: 'snap' }, query: parents }) },
  snapshot_search: { args: () => ({ query: parents }) },
  snapshot_deletion: { args: () => ({ params: { snapshot: 'snap' }, query: parents }) },
} satisfies Partial<Probes>
