import type { IssueSeverity } from '@steading/api/client'
import { apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useBeginsWithOverviews } from '../../page/preferences.ts'
import type { StateTone } from '../../ui/state-badge.tsx'

/** Most issues cause events, but some begin by the passage of time. Milliseconds. */
const POLL_MS = 30_000

/** Open issues for operators. */
export const issuesQuery = { ...apiQuery('issueList', {}), refetchInterval: POLL_MS }

/** First page of the operators' area. */
export function useSystemHome() {
  const hasIssues = useCapability('issues')
  if (useBeginsWithOverviews()) return '/system/overview' as const
  return hasIssues ? ('/system/issues' as const) : ('/system/silos' as const)
}

export const severityTones: Record<IssueSeverity, StateTone> = {
  critical: 'failed',
  warning: 'attention',
}
