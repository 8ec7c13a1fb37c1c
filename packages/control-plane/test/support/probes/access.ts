import type { Probes } from './probe.ts'
import { ids, parents } from './world.ts'

const preview = (body: object) => ({ args: () => ({ body: body as never }) })
const policy = { role_assignments: [] }

export const accessProbes = {
  identity_list: {
    'in a silo': { args: () => ({}), about: ['silo', 'silo_user', 'silo_group'] },
    'for a project': {
      args: () => ({ query: { assignable: 'project', ...parents } }),
      about: ['silo', 'silo_user', 'silo_group', 'project'],
    },
  },
  access_list: {
    'about the fleet': {
      args: () => ({ query: { kind: 'fleet', action: 'modify' } }),
      about: ['fleet'],
    },
    'about the silo': {
      args: () => ({ query: { kind: 'silo', action: 'modify' } }),
      about: ['silo'],
    },
    'about a project': {
      args: () => ({ query: { kind: 'instance', action: 'modify', ...parents } }),
      about: ['project'],
    },
  },
  user_access_view: {
    'in the silo': { args: () => ({ params: { user_id: ids.user } }), about: ['silo_user'] },
    'in a project': { args: () => ({ params: { user_id: ids.user }, query: parents }) },
  },
  access_preview: {
    'of the fleet': { ...preview({ type: 'fleet_policy', policy }), about: ['fleet'] },
    'of the silo': { ...preview({ type: 'silo_policy', policy }), about: ['silo'] },
    'of a project': {
      ...preview({ type: 'project_policy', policy, ...parents }),
      about: ['project'],
    },
    'of a group': {
      args: () => ({ body: { type: 'group', group_id: ids.group, members: null } }),
      about: ['silo_group'],
      bodyNames: true,
    },
    'of a user': {
      args: () => ({ body: { type: 'user', user_id: ids.user } }),
      about: ['silo_user'],
      bodyNames: true,
    },
  },
} satisfies Partial<Probes>
