/** Dashboards: charts of queries of time series. */

/** Dashboards that a user, a project or a silo can have. */
export const DASHBOARDS_MAX = 100
export const DASHBOARD_CHARTS_MAX = 24
/** Characters of the title of a chart. */
export const CHART_TITLE_MAX = 80
/** Characters of the query of a chart. */
export const CHART_QUERY_MAX = 4096

/** Who sees a dashboard: its owner alone, everyone who sees the project, or all users of the silo. */
export const dashboardSharings = ['private', 'project', 'silo'] as const
export type DashboardSharing = (typeof dashboardSharings)[number]

/** Whose time series its charts show: those of the project in which it is opened, or of the fleet. */
export const dashboardSources = ['project', 'system'] as const
export type DashboardSource = (typeof dashboardSources)[number]

export const chartDisplays = ['line', 'table', 'number'] as const
export type ChartDisplay = (typeof chartDisplays)[number]

/** How much of a row of the page a chart takes. */
export const chartWidths = ['third', 'half', 'full'] as const
export type ChartWidth = (typeof chartWidths)[number]

/**
 * Variables that queries may use, by source: `instance_id == $instance`. Users choose the thing on
 * the page; its ID stands in place of the variable in the query that is sent.
 */
export const dashboardVariables = {
  project: ['instance', 'disk'],
  system: ['sled'],
} as const satisfies Record<DashboardSource, readonly string[]>
export type DashboardVariable = (typeof dashboardVariables)[DashboardSource][number]

export const dashboardMessages = {
  projectMissing: 'project: a dashboard that is shared in a project names it',
  projectUnused: 'project: only a dashboard that is shared in a project names one',
  systemInProject: 'sharing: a dashboard of the system cannot be shared in a project',
  tooManyCharts: `charts: a dashboard may have at most ${DASHBOARD_CHARTS_MAX} charts`,
  tooMany: `there can be at most ${DASHBOARDS_MAX} dashboards in one place`,
  unknownVariable: (name: string, known: readonly string[]) =>
    `there is no variable $${name}, only ${known.map((one) => `$${one}`).join(' and ')}`,
} as const
