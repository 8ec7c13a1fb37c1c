import { siloBody } from '../things.ts'
import { plain, type Probes } from './probe.ts'
import { fresh, PROJECT, server } from './world.ts'

const main = { params: { silo: 'main' } }
/** A day of a metric. */
const day = (more: object = {}) => ({
  params: { metric_name: 'cpus_provisioned' as const },
  query: { start_time: '2026-01-01T00:00:00Z', end_time: '2026-01-02T00:00:00Z', ...more },
})

const usageDay = { first_day: '2026-01-01', last_day: '2026-01-01' }

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
  // Not empty, so it cannot be deleted.
  silo_delete: { args: () => main, passes: 400 },
  system_quotas_list: plain,
  silo_quotas_view: { args: () => main },
  silo_quotas_update: { args: () => ({ ...main, body: {} }) },
  utilization_view: plain,
  utilization_forecast: plain,
  system_forecast: plain,
  silo_forecast: { args: () => main },
  silo_metric: {
    'of the silo': { args: () => day(), about: ['silo'] },
    'of a project': { args: () => day({ project: PROJECT }), about: ['project'] },
  },
  system_metric: {
    'of the fleet': { args: () => day(), about: ['fleet'] },
    'of a silo': { args: () => day({ silo: 'main' }) },
  },
  usage_view: {
    'of the silo': { args: () => ({ query: usageDay }), about: ['silo'] },
    'of a project': {
      args: () => ({ query: { ...usageDay, project: PROJECT } }),
      about: ['project'],
    },
  },
  usage_record_export: {
    'of the silo': { args: () => ({ query: usageDay }), about: ['silo'] },
    'of a project': {
      args: () => ({ query: { ...usageDay, project: PROJECT } }),
      about: ['project'],
    },
  },
  system_usage_view: {
    'of the fleet': { args: () => ({ query: usageDay }), about: ['fleet'] },
    'of a silo': { args: () => ({ query: { ...usageDay, silo: 'main' } }) },
  },
  system_usage_record_export: {
    'of the fleet': { args: () => ({ query: usageDay }), about: ['fleet'] },
    'of a silo': { args: () => ({ query: { ...usageDay, silo: 'main' } }) },
  },
  price_list_view: plain,
  current_prices_view: plain,
  price_list_update: {
    args: () => ({ body: { currency: null, shown_to_silos: false, versions: [] } }),
  },
  silo_utilization_list: plain,
  silo_utilization_view: { args: () => main },
} satisfies Partial<Probes>
