import { dashboardSources } from './rules.ts'
import type { Operation } from '../../operation.ts'
import { NameOrId, oneOf, uuid } from '../../schema.ts'
import { Dashboard, DashboardCreate, Dashboards, DashboardUpdate } from './schemas.ts'

const tags = ['extensions']
const params = { dashboard: uuid }

export const dashboardOperations = {
  dashboard_list: {
    method: 'GET',
    path: '/x/v1/dashboards',
    tags,
    summary: 'List dashboards: those of the caller, of the silo, and those shared in a project',
    permission: { project: 'read', silo_dashboard: 'list', fleet: 'read' },
    query: { source: oneOf(...dashboardSources), project: NameOrId.optional() },
    success: { status: 200, schema: Dashboards },
  },
  dashboard_create: {
    method: 'POST',
    path: '/x/v1/dashboards',
    tags,
    summary: 'Save a dashboard, for the caller or shared in a project or the silo',
    permission: { project: 'create', silo_dashboard: 'create', fleet: 'read' },
    body: DashboardCreate,
    success: { status: 201, schema: Dashboard },
  },
  dashboard_view: {
    method: 'GET',
    path: '/x/v1/dashboards/{dashboard}',
    tags,
    summary: 'Fetch a dashboard',
    permission: { project_dashboard: 'read', silo_dashboard: 'read', fleet: 'read' },
    params,
    success: { status: 200, schema: Dashboard },
  },
  dashboard_update: {
    method: 'PUT',
    path: '/x/v1/dashboards/{dashboard}',
    tags,
    summary: 'Change a dashboard or its sharing',
    permission: {
      project: 'create',
      project_dashboard: 'modify',
      silo_dashboard: 'modify',
      fleet: 'read',
    },
    params,
    body: DashboardUpdate,
    success: { status: 200, schema: Dashboard },
  },
  dashboard_delete: {
    method: 'DELETE',
    path: '/x/v1/dashboards/{dashboard}',
    tags,
    summary: 'Delete a dashboard',
    permission: { project_dashboard: 'modify', silo_dashboard: 'modify', fleet: 'read' },
    params,
    success: { status: 204 },
  },
} as const satisfies Record<string, Operation>
