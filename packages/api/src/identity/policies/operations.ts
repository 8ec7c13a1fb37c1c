import { FleetRolePolicy, ProjectRolePolicy, SiloRolePolicy } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const policyOperations = {
  ...usual('fleet', {
    item: FleetRolePolicy,
    id: 'system_policy',
    path: '/v1/system/policy',
    tag: 'policy',
  })({
    system_policy_view: { summary: 'Show the role assignments of the fleet' },
    system_policy_update: {
      summary: 'Replace all role assignments of the fleet',
      body: FleetRolePolicy,
      versioned: 'fleet_policy',
      changes: ['policy'],
    },
  }),
  ...usual('silo', { item: SiloRolePolicy, id: 'policy', path: '/v1/policy', tag: 'silos' })({
    policy_view: { summary: "Show the role assignments of the caller's silo" },
    policy_update: {
      summary: 'Replace all role assignments of the silo',
      body: SiloRolePolicy,
      versioned: 'silo_policy',
      changes: ['policy'],
    },
  }),
  ...usual('silo', {
    item: SiloRolePolicy,
    id: 'silo_policy',
    path: '/v1/system/silos/{silo}/policy',
    tag: 'system/silos',
  })({
    silo_policy_view: { summary: 'Show the role assignments of a silo' },
    silo_policy_update: {
      summary: 'Replace all role assignments of a silo',
      body: SiloRolePolicy,
      versioned: 'silo_policy',
      changes: ['policy'],
    },
  }),
  ...usual('project', {
    item: ProjectRolePolicy,
    id: 'project_policy',
    path: '/v1/projects/{project}/policy',
    tag: 'projects',
  })({
    project_policy_view: { summary: 'Show the role assignments of a project' },
    project_policy_update: {
      summary: 'Replace all role assignments of a project',
      body: ProjectRolePolicy,
      versioned: 'project_policy',
      changes: ['policy'],
    },
  }),
}
