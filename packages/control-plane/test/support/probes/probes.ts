import type { Probes } from './probe.ts'
import { fresh, parents, server } from './world.ts'

/** On a sled that is in service: others of the matrix are expunged. */
async function body() {
  const { items } = await server.admin.call('sled_list')
  const { id } = items.find(({ policy }) => policy.kind === 'in_service')!
  return { name: fresh(), description: '', sled: id }
}
const made = async () => server.admin.call('probe_create', { query: parents, body: await body() })

export const probesProbes = {
  probe_list: { args: () => ({ query: parents }) },
  probe_search: { args: () => ({ query: parents }) },
  probe_create: { args: async () => ({ query: parents, body: await body() }) },
  probe_view: {
    'by name': {
      args: async () => ({ params: { probe: (await made()).name }, query: parents }),
    },
    'by id': { args: async () => ({ params: { probe: (await made()).id }, query: parents }) },
  },
  probe_delete: { args: async () => ({ params: { probe: (await made()).id }, query: parents }) },
} satisfies Partial<Probes>
