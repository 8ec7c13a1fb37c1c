import type { Operation } from '../operation.ts'
import { NameOrId } from '../schema.ts'
import { FleetRolePolicy, ProjectRolePolicy, SiloRolePolicy } from './schemas.ts'

export const policyOperations = {
  system_policy_view: {
    method: 'GET',
    path: '/v1/system/policy',
    tags: ['policy'],
    summary: 'Show who has which role on the fleet',
    permission: { fleet: 'read' },
    success: { status: 200, schema: FleetRolePolicy },
  },
  system_policy_update: {
    method: 'PUT',
    path: '/v1/system/policy',
    tags: ['policy'],
    summary: 'Replace all role assignments of the fleet',
    permission: { fleet: 'modify' },
    body: FleetRolePolicy,
    success: { status: 200, schema: FleetRolePolicy },
  },
  policy_view: {
    method: 'GET',
    path: '/v1/policy',
    tags: ['silos'],
    summary: 'Show who has which role on the own silo',
    permission: { silo: 'read' },
    success: { status: 200, schema: SiloRolePolicy },
  },
  policy_update: {
    method: 'PUT',
    path: '/v1/policy',
    tags: ['silos'],
    summary: 'Replace all role assignments of the own silo',
    permission: { silo: 'modify' },
    body: SiloRolePolicy,
    success: { status: 200, schema: SiloRolePolicy },
  },
  project_policy_view: {
    method: 'GET',
    path: '/v1/projects/{project}/policy',
    tags: ['projects'],
    summary: 'Show who has which role on a project',
    permission: { project: 'read' },
    params: { project: NameOrId },
    success: { status: 200, schema: ProjectRolePolicy },
  },
  project_policy_update: {
    method: 'PUT',
    path: '/v1/projects/{project}/policy',
    tags: ['projects'],
    summary: 'Replace all role assignments of a project',
    permission: { project: 'modify' },
    params: { project: NameOrId },
    body: ProjectRolePolicy,
    success: { status: 200, schema: ProjectRolePolicy },
  },
} as const satisfies Record<string, Operation>
