import { instanceIsTransitioning, type InstanceState } from '@steading/api/rules'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { Quantity } from '../../ui/text.tsx'

export const instanceTone: Record<InstanceState, StateTone> = {
  creating: 'changing',
  starting: 'changing',
  running: 'works',
  rebooting: 'changing',
  stopping: 'changing',
  stopped: 'off',
  migrating: 'changing',
  repairing: 'attention',
  failed: 'failed',
  destroyed: 'failed',
}

export function InstanceStateBadge({ state }: { state: InstanceState }) {
  return (
    <StateBadge tone={instanceTone[state]} transitional={instanceIsTransitioning(state)}>
      {state}
    </StateBadge>
  )
}

/**
 * A number of vCPUs. With `aligned`, the numbers of a column are right-aligned despite units of
 * different widths.
 */
export const VCpus = ({ count, aligned = false }: { count: number; aligned?: boolean }) => (
  <Quantity
    value={count}
    unit={count === 1 ? 'vCPU' : 'vCPUs'}
    unitClass={aligned ? 'inline-block min-w-10 text-start' : undefined}
  />
)
