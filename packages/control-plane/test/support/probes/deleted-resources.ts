import { affinityBody } from '../things.ts'
import type { Probes } from './probe.ts'
import { fresh, parents, server } from './world.ts'

const keep = (restorable_hours: number) =>
  server.admin.call('deletion_policy_update', { body: { restorable_hours } })

/** A deleted resource; other deletions are not kept. */
const deleted = async () => {
  const body = affinityBody(fresh())
  const { id } = await server.admin.call('affinity_group_create', { query: parents, body })
  await keep(1)
  await server.admin.call('affinity_group_delete', { params: { affinity_group: id } })
  await keep(0)
  return { params: { deleted_resource: id } }
}

export const deletedResourcesProbes = {
  deleted_resource_search: { args: () => ({ query: parents }) },
  deleted_resource_view: { args: deleted },
  deleted_resource_restore: { args: async () => ({ ...(await deleted()), body: {} }) },
  deleted_resource_delete: { args: deleted },
  deletion_policy_view: { args: () => ({}) },
  deletion_policy_update: { args: () => ({ body: { restorable_hours: 0 } }) },
} satisfies Partial<Probes>
