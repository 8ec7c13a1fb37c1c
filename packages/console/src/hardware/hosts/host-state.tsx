import type { Host } from '@steading/api/client'
import type { HostState } from '@steading/api/rules'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'

const looks: Record<HostState, { tone: StateTone; word: string }> = {
  checking: { tone: 'changing', word: 'Checking' },
  refused: { tone: 'failed', word: 'Refused' },
  joining: { tone: 'changing', word: 'Joining' },
  in_service: { tone: 'works', word: 'In service' },
  expunged: { tone: 'off', word: 'Expunged' },
  leaving: { tone: 'changing', word: 'Leaving' },
}

/** The state of a host; fencing and a lost connection take precedence over being in service. */
export function HostStateBadge({
  state,
  connection,
  fencing,
}: Pick<Host, 'state' | 'connection' | 'fencing'>) {
  if (state === 'in_service' && fencing.state === 'fenced') {
    return <StateBadge tone="failed">Fenced</StateBadge>
  }
  if (state === 'in_service' && fencing.state === 'fencing') {
    return (
      <StateBadge tone="changing" transitional>
        Switching off
      </StateBadge>
    )
  }
  if (state === 'in_service' && connection?.connected === false) {
    return <StateBadge tone="failed">Out of reach</StateBadge>
  }
  const { tone, word } = looks[state]
  return (
    <StateBadge tone={tone} transitional={tone === 'changing'}>
      {word}
    </StateBadge>
  )
}

/** The check that failed, or else the first that has a warning. */
export const worstFinding = ({ findings }: Pick<Host, 'findings'>) =>
  findings.find(({ outcome }) => outcome === 'failed') ??
  findings.find(({ outcome }) => outcome === 'warning')
