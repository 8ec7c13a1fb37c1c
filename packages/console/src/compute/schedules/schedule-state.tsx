import type { Schedule, ScheduleItemState, ScheduleRunState } from '@steading/api/client'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { TimeAgo } from '../../ui/time.tsx'

const stateTones: Record<Schedule['state'], StateTone> = {
  active: 'works',
  paused: 'off',
  ended: 'off',
}

export const ScheduleStateBadge = ({ state }: Pick<Schedule, 'state'>) => (
  <StateBadge tone={stateTones[state]}>{state}</StateBadge>
)

const runTones: Record<ScheduleRunState | ScheduleItemState, StateTone> = {
  waiting: 'off',
  running: 'changing',
  succeeded: 'works',
  failed: 'failed',
}

/** State of a run, or of one of its items. */
export const RunStateBadge = ({ state }: { state: ScheduleRunState | ScheduleItemState }) => (
  <StateBadge tone={runTones[state]} transitional={state === 'running'}>
    {state}
  </StateBadge>
)

/** The result of the last run, and its age. */
export const LastRun = ({ lastRun }: Pick<Schedule, 'lastRun'>) =>
  lastRun ? (
    <span className="flex items-center gap-2">
      <RunStateBadge state={lastRun.state} />
      <TimeAgo date={lastRun.timeStarted} caption="Began" ago className="text-tertiary" />
    </span>
  ) : (
    <EmptyCell />
  )
