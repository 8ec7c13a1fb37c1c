import { type Finder, issue } from '../../../kernel/issues.ts'

export const timeseriesIssues: Finder = async ({ services }) => {
  const { ahead } = (await services.timeSeries?.status()) ?? {}
  if (!ahead) return []
  return [issue('time_series_ahead', 'store', new Date(ahead.since).toISOString(), {})]
}
