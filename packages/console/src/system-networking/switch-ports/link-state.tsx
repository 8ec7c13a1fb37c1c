import type { LinkState } from '@steading/api/rules'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'

export const linkTones: Record<LinkState, StateTone> = {
  up: 'works',
  coming_up: 'changing',
  down: 'failed',
}

export const LinkStateBadge = ({ state }: { state: LinkState }) => (
  <StateBadge tone={linkTones[state]}>{state.replaceAll('_', ' ')}</StateBadge>
)

/** Links change by themselves, which no event says; those that come up are up in a moment. */
export const LINK_POLL_MS = 3_000
