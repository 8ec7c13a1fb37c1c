import type { BfdState, BgpPeerState, LinkState } from '@steading/api/rules'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'

const bfdTones: Record<BfdState, StateTone> = {
  admin_down: 'off',
  down: 'failed',
  init: 'changing',
  up: 'works',
}

export const BfdStateBadge = ({ state }: { state: BfdState }) => (
  <StateBadge tone={bfdTones[state]}>{state.replaceAll('_', ' ')}</StateBadge>
)

/** States on the way to a session are `changing`; a peer that does not answer needs attention. */
const peerTones: Record<BgpPeerState, StateTone> = {
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
  <StateBadge tone={peerTones[state]}>{state.replaceAll('_', ' ')}</StateBadge>
)

export const linkTones: Record<LinkState, StateTone> = {
  up: 'works',
  coming_up: 'changing',
  down: 'failed',
  unknown: 'attention',
}

export const LinkStateBadge = ({ state }: { state: LinkState }) => (
  <StateBadge tone={linkTones[state]}>{state.replaceAll('_', ' ')}</StateBadge>
)
