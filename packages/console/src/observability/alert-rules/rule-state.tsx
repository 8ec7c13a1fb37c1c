import type { AlertRuleState, AlertSeriesState, AlertSeverity } from '@steading/api/client'
import type { StateTone } from '../../ui/state-badge.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'

const ruleLooks: Record<AlertRuleState, { tone: StateTone; word: string }> = {
  firing: { tone: 'failed', word: 'firing' },
  pending: { tone: 'attention', word: 'pending' },
  failing: { tone: 'attention', word: 'cannot be evaluated' },
  no_data: { tone: 'off', word: 'no data' },
  ok: { tone: 'works', word: 'ok' },
  waiting: { tone: 'changing', word: 'waiting' },
  disabled: { tone: 'off', word: 'disabled' },
}

type Firing = { severity: AlertSeverity }

/** Firing has the colour of the rule's severity, as in lists of issues. */
const toneOf = (tone: StateTone, severity: AlertSeverity): StateTone =>
  tone === 'failed' && severity === 'warning' ? 'attention' : tone

export const RuleStateBadge = ({ state, severity }: { state: AlertRuleState } & Firing) => (
  <StateBadge tone={toneOf(ruleLooks[state].tone, severity)}>{ruleLooks[state].word}</StateBadge>
)

const seriesTones: Record<AlertSeriesState, StateTone> = {
  firing: 'failed',
  pending: 'attention',
  ok: 'works',
  no_data: 'off',
}

export const SeriesStateBadge = ({ state, severity }: { state: AlertSeriesState } & Firing) => (
  <StateBadge tone={toneOf(seriesTones[state], severity)}>{ruleLooks[state].word}</StateBadge>
)
