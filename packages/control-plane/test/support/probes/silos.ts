import { siloBody } from '../things.ts'
import { plain, type Probes } from './probe.ts'
import { fresh, server } from './world.ts'

const main = { params: { silo: 'main' } }

export const silosProbes = {
  silo_list: plain,
  silo_search: plain,
  silo_create: {
    plain: { args: () => ({ body: siloBody(fresh()) }) },
    'with fleet roles': {
      args: () => ({ body: siloBody(fresh(), { mapped_fleet_roles: { admin: ['viewer'] } }) }),
      needs: { fleet: 'modify' },
    },
  },
  silo_view: {
    'by name': { args: () => main },
    'by id': { args: () => ({ params: { silo: server.siloId } }) },
  },
  // Full, and so not to be deleted.
  silo_delete: { args: () => main, passes: 400 },
  system_quotas_list: plain,
  silo_quotas_view: { args: () => main },
  silo_quotas_update: { args: () => ({ ...main, body: {} }) },
  utilization_view: plain,
  silo_utilization_list: plain,
  silo_utilization_view: { args: () => main },
} satisfies Partial<Probes>
