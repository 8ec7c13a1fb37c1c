import type { AlertRuleState, AlertSeriesState } from '@steading/api/client'
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

export const RuleStateBadge = ({ state }: { state: AlertRuleState }) => (
  <StateBadge tone={ruleLooks[state].tone}>{ruleLooks[state].word}</StateBadge>
)

const seriesTones: Record<AlertSeriesState, StateTone> = {
  firing: 'failed',
  pending: 'attention',
  ok: 'works',
  no_data: 'off',
}

export const SeriesStateBadge = ({ state }: { state: AlertSeriesState }) => (
  <StateBadge tone={seriesTones[state]}>{ruleLooks[state].word}</StateBadge>
)
