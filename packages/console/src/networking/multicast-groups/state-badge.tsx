import type { MulticastGroupState, MulticastMemberState } from '@steading/api/rules'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'

type State = MulticastGroupState | MulticastMemberState

const tones: Record<State, StateTone> = {
  Creating: 'changing',
  Active: 'works',
  Deleting: 'changing',
  Joining: 'changing',
  Joined: 'works',
  Left: 'off',
}
const isState = (text: string): text is State => Object.hasOwn(tones, text)

/** The state of a group or of a member. */
export function MulticastStateBadge({ state }: { state: string }) {
  const tone = isState(state) ? tones[state] : 'attention'
  return (
    <StateBadge tone={tone} transitional={tone === 'changing'}>
      {state.toLowerCase()}
    </StateBadge>
  )
}
