import type { TestServer } from '../harness.ts'
import type { Probes } from './probe.ts'
import { fresh, parents, server } from './world.ts'

type Place = { sharing: 'private' | 'silo' } | { sharing: 'project'; project: string }

const inProject: Place = { sharing: 'project', ...parents }
const cpu = {
  title: 'CPU',
  query: 'get virtual_machine:vcpu_usage | filter instance_id == $instance',
  display: 'line' as const,
  width: 'half' as const,
}
const body = (place: Place, source: 'project' | 'system' = 'project') => ({
  name: fresh(),
  description: '',
  charts: source === 'project' ? [cpu] : [],
  source,
  ...place,
})
const made = async (place: Place) =>
  (await server.admin.call('dashboard_create', { body: body(place) })).id

/** A dashboard for calls that do not move it, by world and place. */
const kept = new WeakMap<TestServer, Map<Place, Promise<string>>>()
function keptAt(place: Place): Promise<string> {
  const here = kept.get(server) ?? new Map<Place, Promise<string>>()
  kept.set(server, here)
  const dashboard = here.get(place) ?? made(place)
  here.set(place, dashboard)
  return dashboard
}
const inSilo: Place = { sharing: 'silo' }

export const dashboardProbes = {
  dashboard_list: {
    'of a project': {
      args: () => ({ query: { source: 'project', ...parents } }),
      about: ['project', 'silo_dashboard'],
    },
    'of the caller': {
      args: () => ({ query: { source: 'project' } }),
      about: ['silo_dashboard'],
    },
    'of the system': {
      args: () => ({ query: { source: 'system' } }),
      about: ['silo_dashboard', 'fleet'],
    },
  },
  dashboard_create: {
    'in a project': { args: () => ({ body: body(inProject) }), about: ['project'] },
    'in the silo': { args: () => ({ body: body(inSilo) }), about: ['silo_dashboard'] },
    'for the caller': { args: () => ({ body: body({ sharing: 'private' }) }), about: [] },
    'of the system': {
      args: () => ({ body: body({ sharing: 'private' }, 'system') }),
      about: ['fleet'],
    },
  },
  dashboard_view: {
    'of a project': {
      args: async () => ({ params: { dashboard: await keptAt(inProject) } }),
      about: ['project_dashboard'],
    },
    'of the silo': {
      args: async () => ({ params: { dashboard: await keptAt(inSilo) } }),
      about: ['silo_dashboard'],
    },
  },
  dashboard_update: {
    'of a project': {
      args: async () => ({
        params: { dashboard: await keptAt(inProject) },
        body: body(inProject),
      }),
      about: ['project_dashboard', 'project'],
    },
    'of the silo': {
      args: async () => ({ params: { dashboard: await keptAt(inSilo) }, body: body(inSilo) }),
      about: ['silo_dashboard'],
    },
  },
  dashboard_delete: {
    'of a project': {
      args: async () => ({ params: { dashboard: await made(inProject) } }),
      about: ['project_dashboard'],
    },
    'of the silo': {
      args: async () => ({ params: { dashboard: await made(inSilo) } }),
      about: ['silo_dashboard'],
    },
  },
} satisfies Partial<Probes>
