import { FleetRolePolicy, ProjectRolePolicy, SiloRolePolicy } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const policyOperations = {
  ...usual('fleet', {
    item: FleetRolePolicy,
    id: 'system_policy',
    path: '/v1/system/policy',
    tag: 'policy',
  })({
    view: { summary: 'Show the role assignments of the fleet' },
    update: {
      summary: 'Replace all role assignments of the fleet',
      body: FleetRolePolicy,
      versioned: 'fleet_policy',
    },
  }),
  ...usual('silo', { item: SiloRolePolicy, id: 'policy', path: '/v1/policy', tag: 'silos' })({
    view: { summary: "Show the role assignments of the caller's silo" },
    update: {
      summary: 'Replace all role assignments of the silo',
      body: SiloRolePolicy,
      versioned: 'silo_policy',
    },
  }),
  ...usual('silo', {
    item: SiloRolePolicy,
    id: 'silo_policy',
    path: '/v1/system/silos/{silo}/policy',
    tag: 'system/silos',
  })({
    view: { summary: 'Show the role assignments of a silo' },
    update: {
      summary: 'Replace all role assignments of a silo',
      body: SiloRolePolicy,
      versioned: 'silo_policy',
    },
  }),
  ...usual('project', {
    item: ProjectRolePolicy,
    id: 'project_policy',
    path: '/v1/projects/{project}/policy',
    tag: 'projects',
  })({
    view: { summary: 'Show the role assignments of a project' },
    update: {
      summary: 'Replace all role assignments of a project',
      body: ProjectRolePolicy,
      versioned: 'project_policy',
    },
  }),
}
