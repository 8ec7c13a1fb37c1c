import type { BgpPeerState } from '@steading/api/rules'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'

/** A peer that is spoken to is on its way; one that does not answer wants attention. */
const tones: Record<BgpPeerState, StateTone> = {
  idle: 'changing',
  connect: 'changing',
  active: 'failed',
  open_sent: 'changing',
  open_confirm: 'changing',
  connection_collision: 'attention',
  session_setup: 'changing',
  established: 'works',
}

export const PeerStateBadge = ({ state }: { state: BgpPeerState }) => (
  <StateBadge tone={tones[state]}>{state.replaceAll('_', ' ')}</StateBadge>
)
