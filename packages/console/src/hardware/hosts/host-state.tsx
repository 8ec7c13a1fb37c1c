import type { Host } from '@steading/api/client'
import type { FencingState, HostState } from '@steading/api/rules'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'

const looks: Record<HostState, { tone: StateTone; word: string }> = {
  checking: { tone: 'changing', word: 'Checking' },
  refused: { tone: 'failed', word: 'Refused' },
  joining: { tone: 'changing', word: 'Joining' },
  in_service: { tone: 'works', word: 'In service' },
  expunged: { tone: 'off', word: 'Expunged' },
  leaving: { tone: 'changing', word: 'Leaving' },
}

/** How far the fencing of a host by a power switch is. */
const fencingLooks: Record<FencingState, { tone: StateTone; word: string }> = {
  idle: { tone: 'works', word: 'Not needed' },
  suspect: { tone: 'attention', word: 'Suspect' },
  fencing: { tone: 'changing', word: 'Switching off' },
  fenced: { tone: 'failed', word: 'Switched off' },
}

/** How far the fencing of a host by leases is, which switch nothing off. */
const leaseLooks: typeof fencingLooks = {
  ...fencingLooks,
  fencing: { tone: 'changing', word: 'Waiting for the lease' },
  fenced: { tone: 'failed', word: 'Leases have run out' },
}

export const fencingLook = ({ method, state }: Pick<Host['fencing'], 'method' | 'state'>) =>
  (method === 'leases' ? leaseLooks : fencingLooks)[state]

/** The state of a host; fencing and a lost connection take precedence over being in service. */
export function HostStateBadge({
  state,
  connection,
  fencing,
}: Pick<Host, 'state' | 'connection' | 'fencing'>) {
  if (state === 'in_service' && fencing.state === 'fenced') {
    return <StateBadge tone="failed">Fenced</StateBadge>
  }
  // A host that renews its leases is merely out of reach.
  const isHeld = fencing.leaseHold !== null && fencing.leaseHold !== 'running_out'
  if (state === 'in_service' && fencing.state === 'fencing' && !isHeld) {
    return (
      <StateBadge tone="changing" transitional>
        {fencingLook(fencing).word}
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
