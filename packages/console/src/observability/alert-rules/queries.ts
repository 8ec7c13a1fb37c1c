/** Alert rules of a project or of the system, which share their pages. */
import type {
  AlertRule,
  AlertRuleFiringResultsPage,
  AlertRuleSeriesList,
} from '@steading/api/client'
import { alertRuleStates } from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'
import { pathTo } from '../../data/addresses.ts'
import type { QueryScope } from '../timeseries/explorer-link.ts'

/** The name of the project; undefined for the system. */
export type RuleOwner = string | undefined

/** The owner of the page's rules, and the rule named in its address. */
export function useRuleParams(): { owner: RuleOwner; name: string } {
  const { project, alertRule = '' } = useParams({ strict: false }) as {
    project?: string
    alertRule?: string
  }
  return { owner: project, name: alertRule }
}

export const listPath = (owner: RuleOwner): string =>
  owner === undefined
    ? pathTo('/system/alert-rules')
    : pathTo('/projects/$project/alert-rules', { project: owner })

const newPath = (owner: RuleOwner): string =>
  owner === undefined
    ? pathTo('/system/alert-rules-new')
    : pathTo('/projects/$project/alert-rules-new', { project: owner })

/** Path to the form of a new rule, with an initial query. */
export const newRulePath = (scope: QueryScope, query: string): string =>
  `${newPath(scope === 'system' ? undefined : scope.project)}?${new URLSearchParams({ query })}`

export const rulePath = (owner: RuleOwner, alertRule: string): string =>
  owner === undefined
    ? pathTo('/system/alert-rules/$alertRule', { alertRule })
    : pathTo('/projects/$project/alert-rules/$alertRule', { project: owner, alertRule })

type Query<Answer> = { queryKey: readonly unknown[]; queryFn: () => Promise<Answer> }

export const ruleQuery = (owner: RuleOwner, alertRule: string): Query<AlertRule> =>
  owner === undefined
    ? apiQuery('systemAlertRuleView', { path: { alertRule } })
    : apiQuery('alertRuleView', { path: { alertRule }, query: { project: owner } })

/**
 * Evaluation changes the states of series without events, so they are polled at this interval
 * in milliseconds.
 */
const EVALUATED_MS = 15_000

export const seriesQuery = (
  owner: RuleOwner,
  alertRule: string,
): Query<AlertRuleSeriesList> & { refetchInterval: number } => ({
  ...(owner === undefined
    ? apiQuery('systemAlertRuleSeriesList', { path: { alertRule } })
    : apiQuery('alertRuleSeriesList', { path: { alertRule }, query: { project: owner } })),
  refetchInterval: EVALUATED_MS,
})

/** Number of firings on a rule's page. */
const limit = 50
const sortBy = 'time_and_id_descending' as const

export const firingsQuery = (
  owner: RuleOwner,
  alertRule: string,
): Query<AlertRuleFiringResultsPage> =>
  owner === undefined
    ? apiQuery('systemAlertRuleFiringList', { path: { alertRule }, query: { limit, sortBy } })
    : apiQuery('alertRuleFiringList', {
        path: { alertRule },
        query: { project: owner, limit, sortBy },
      })

export const ruleListDefinition: ListDefinition<'alertRuleSearch'> = {
  kind: 'alert_rule',
  id: 'alert-rules',
  operation: 'alertRuleSearch',
  filters: { state: alertRuleStates },
}

export const systemRuleListDefinition: ListDefinition<'systemAlertRuleSearch'> = {
  kind: 'system_alert_rule',
  id: 'system-alert-rules',
  operation: 'systemAlertRuleSearch',
  filters: { state: alertRuleStates },
}

export const ruleDocs = {
  topic: 'alert rules',
  summary:
    'An alert rule is a query, a threshold, and a minimum duration. The server evaluates it continuously. A firing rule is shown here and at its subject, and receivers of alerts are notified.',
}
