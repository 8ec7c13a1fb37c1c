import type { MulticastGroupState, MulticastMemberState } from '@steading/api/rules'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { Mono, Truncate } from '../../ui/text.tsx'

type Sources = { sourceIps: readonly string[]; any: boolean }

/** The sources from which packets are accepted. */
export function SourcesCell({ sourceIps, any }: Sources) {
  if (any) return <span className="text-secondary">any</span>
  return (
    <Mono>
      <Truncate text={sourceIps.join(', ')} />
    </Mono>
  )
}

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
