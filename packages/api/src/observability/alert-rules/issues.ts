import { type AlertComparison, conditionWords } from './rules.ts'
import { counted, inPath, issueRule, placeWords, type ReadWithin } from '../issues/rules.ts'

interface Rule {
  name: string
  /** Null for a system rule. */
  project: string | null
  silo: string | null
  /** Whether it is in the caller's silo; operators do not see projects of other silos. */
  own: boolean
  within?: ReadWithin
}

const page = ({ name, project, silo, own }: Rule) => {
  if (project === null) return `/system/alert-rules/${inPath(name)}`
  return own
    ? `/projects/${inPath(project)}/alert-rules/${inPath(name)}`
    : `/system/silos/${inPath(silo!)}`
}

const called = ({ name, project, silo, within }: Rule) =>
  project === null
    ? `Alert rule ${name} of the system`
    : `Alert rule ${name}${placeWords(project, silo!, within)}`

interface Firing extends Rule {
  series: number
  comparison: AlertComparison
  threshold: number | null
  duration: number
  units: string | null
  filter: string | null
}

const about = ['alert_rule', 'system_alert_rule'] as const
const kindOf = ({ project }: Rule) => (project === null ? 'system_alert_rule' : 'alert_rule')
const firing = (severity: 'critical' | 'warning') =>
  issueRule<Firing>({
    severity,
    about,
    kindOf,
    sentence: ({ series, comparison, threshold, duration, units, filter, ...rule }) =>
      `${called(rule)} is firing for ${counted(series, 'series', 'series')}: ${conditionWords({ comparison, threshold, duration, units }, filter)}`,
    ended: (rule) => `${called(rule)} is no longer firing`,
    subject: called,
    path: page,
  })

export const alertRuleIssues = {
  alert_rule_critical: firing('critical'),
  alert_rule_warning: firing('warning'),
  alert_rule_failing: issueRule<Rule & { enabled: boolean; problem: string }>({
    severity: 'warning',
    about,
    kindOf,
    sentence: ({ enabled, problem, ...rule }) =>
      `${called(rule)} ${enabled ? 'cannot be evaluated' : 'was disabled'}: ${problem}`,
    ended: (rule) => `${called(rule)} no longer has a problem`,
    subject: called,
    path: page,
  }),
}
