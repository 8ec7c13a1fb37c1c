import { dashboardSources } from './rules.ts'
import { NameOrId, oneOf, uuid } from '../../schema.ts'
import { Dashboard, DashboardCreate, Dashboards, DashboardUpdate } from './schemas.ts'
import { usual } from '../../kinds/usual.ts'

export const dashboardOperations = usual('dashboard', {
  item: Dashboard,
  path: '/x/v1/dashboards/{dashboard}',
  params: { dashboard: uuid },
})({
  dashboard_list: {
    summary: 'List dashboards: those of the caller, of the silo, and those shared in a project',
    permission: { project: 'read', silo_dashboard: 'list', fleet: 'read' },
    query: { source: oneOf(...dashboardSources), project: NameOrId.optional() },
    answer: Dashboards,
  },
  dashboard_create: {
    summary: 'Save a dashboard, for the caller or shared in a project or the silo',
    permission: { project: 'create', silo_dashboard: 'create', fleet: 'read' },
    body: DashboardCreate,
  },
  dashboard_view: {
    summary: 'Fetch a dashboard',
    permission: { project_dashboard: 'read', silo_dashboard: 'read', fleet: 'read' },
  },
  dashboard_update: {
    summary: 'Change a dashboard or its sharing',
    permission: {
      project: 'create',
      project_dashboard: 'modify',
      silo_dashboard: 'modify',
      fleet: 'read',
    },
    body: DashboardUpdate,
  },
  dashboard_delete: {
    permission: { project_dashboard: 'modify', silo_dashboard: 'modify', fleet: 'read' },
  },
})
