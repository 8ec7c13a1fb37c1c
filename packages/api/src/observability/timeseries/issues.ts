import { issueRule } from '../issues/rules.ts'

export const timeseriesIssues = {
  time_series_ahead: issueRule<object>({
    severity: 'warning',
    // Changing the clock emits no event.
    about: [],
    sentence: () =>
      'Points of time series are later than the clock and were set aside: the clock was ahead when they were measured, or is behind now',
    ended: () => 'Points of time series are no longer later than the clock',
    path: () => '/system/metrics',
    next: 'See the metrics',
  }),
}
