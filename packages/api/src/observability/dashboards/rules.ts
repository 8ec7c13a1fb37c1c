/** Dashboards: charts of queries of time series. */

/** Maximum number of dashboards of a user, a project or a silo. */
export const DASHBOARDS_MAX = 100
export const DASHBOARD_CHARTS_MAX = 24
/** Maximum number of keys of tags whose values a dashboard offers. */
export const DASHBOARD_TAG_KEYS_MAX = 3
/** Maximum length of a chart title in characters. */
export const CHART_TITLE_MAX = 80
/** Maximum length of a chart query in characters. */
export const CHART_QUERY_MAX = 4096

/**
 * Visibility of a dashboard: its owner alone, everyone who sees the project, or all users of the
 * silo.
 */
export const dashboardSharings = ['private', 'project', 'silo'] as const
export type DashboardSharing = (typeof dashboardSharings)[number]

/** Data source of the charts: the project in which the dashboard is opened, or the fleet. */
export const dashboardSources = ['project', 'system'] as const
export type DashboardSource = (typeof dashboardSources)[number]

export const chartDisplays = ['line', 'table', 'number'] as const
export type ChartDisplay = (typeof chartDisplays)[number]

/** Share of the page width that a chart takes. */
export const chartWidths = ['third', 'half', 'full'] as const
export type ChartWidth = (typeof chartWidths)[number]

/**
 * Query variables by source: `instance_id == $instance`. Users choose the resource on the page, and
 * its ID replaces the variable in the query that is sent.
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
  tooManyTagKeys: `tag_keys: a dashboard may have at most ${DASHBOARD_TAG_KEYS_MAX} keys of tags`,
  tagKeyTwice: (key: string) => `tag_keys: "${key}" is given twice`,
  tooMany: `there can be at most ${DASHBOARDS_MAX} dashboards in one place`,
  unknownVariable: (name: string, known: readonly string[]) =>
    `there is no variable $${name}, only ${known.map((one) => `$${one}`).join(' and ')}`,
} as const
