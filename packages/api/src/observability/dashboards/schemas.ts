import { SavedName } from '../../workspace/views/saved-name.ts'
import {
  CHART_QUERY_MAX,
  CHART_TITLE_MAX,
  chartDisplays,
  chartWidths,
  DASHBOARD_CHARTS_MAX,
  DASHBOARD_TAG_KEYS_MAX,
  dashboardSharings,
  dashboardSources,
} from './rules.ts'
import {
  dateTime,
  description,
  list,
  named,
  NameOrId,
  oneOf,
  record,
  ruledArray,
  TagKey,
  text,
  uuid,
} from '../../schema.ts'

const Sharing = named('DashboardSharing', oneOf(...dashboardSharings))
const Source = named('DashboardSource', oneOf(...dashboardSources))

const DashboardChart = record('DashboardChart', {
  title: text(CHART_TITLE_MAX, { minLength: 1, pattern: '\\S' }, (title) => {
    if (title.trim() === '') return 'title requires at least one character'
    return title.length > CHART_TITLE_MAX
      ? `title may contain at most ${CHART_TITLE_MAX} characters`
      : undefined
  }),
  /** OxQL, with variables of the dashboard. */
  query: text(CHART_QUERY_MAX, { minLength: 1 }, (query) => {
    if (query === '') return 'query requires at least one character'
    return query.length > CHART_QUERY_MAX
      ? `query may contain at most ${CHART_QUERY_MAX} characters`
      : undefined
  }),
  display: named('ChartDisplay', oneOf(...chartDisplays)),
  width: named('ChartWidth', oneOf(...chartWidths)),
})

const charts = ruledArray(DashboardChart, DASHBOARD_CHARTS_MAX)

/** Keys of tags: users choose one of the values of each, and all charts are about resources with it. */
const tag_keys = ruledArray(TagKey, DASHBOARD_TAG_KEYS_MAX)

const content = { name: SavedName, description, charts }

export const Dashboard = record('Dashboard', {
  id: uuid,
  ...content,
  tag_keys,
  source: Source,
  sharing: Sharing,
  /** Project in which it is shared. */
  project_id: uuid.nullable(),
  time_created: dateTime,
  time_modified: dateTime,
})

export const Dashboards = record('Dashboards', { items: list(Dashboard) })

const place = {
  sharing: Sharing,
  /** Project in which it is shared, if any. */
  project: NameOrId.nullable().optional(),
}

export const DashboardCreate = record('DashboardCreate', {
  ...content,
  tag_keys: tag_keys.optional(),
  source: Source,
  ...place,
})
export const DashboardUpdate = record('DashboardUpdate', {
  ...content,
  /** Absent keys remain unchanged. */
  tag_keys: tag_keys.optional(),
  ...place,
})
