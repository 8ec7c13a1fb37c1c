import type {
  Instance,
  InstanceFailure,
  InstanceFailureView,
  InstanceState,
} from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useLivePolling } from '../../data/live.ts'
import { formatDistance } from '../../ui/time.tsx'
import type { InstanceParams } from './queries.ts'

/** The reason as a sentence: `The sled that it ran on stopped responding.` */
export const failureReason = ({ reason }: InstanceFailure): string =>
  reason === null ? 'The reason is not known.' : `${reason}.`

/** When the instance is restarted, if at all, and why earlier restarts failed. */
export function restartText(
  { timeRestart, restartProblem }: InstanceFailure,
  now = Date.now(),
): string {
  const problem = restartProblem === null ? '' : `It could not be restarted: ${restartProblem}. `
  if (timeRestart === null) return `${problem}It will not be restarted automatically.`
  const again = restartProblem === null ? '' : ' again'
  if (timeRestart.getTime() <= now) return `${problem}It will be restarted${again} soon.`
  const wait = formatDistance(new Date(now), timeRestart.getTime())
  return restartProblem === null
    ? `It will be restarted in ${wait}.`
    : `${problem}The next attempt is in ${wait}.`
}

/** Reason and restart in one text, for a tooltip. */
export const failureText = (failure: InstanceFailure): string =>
  `${failureReason(failure)} ${restartText(failure)}`

/**
 * The failure, the pause and the firmware of an instance in one of some states; undefined in other
 * states, and if the control plane lacks the extension.
 */
export const useFailureView = (
  { project }: Pick<InstanceParams, 'project'>,
  { name, runState }: Instance,
  states: readonly InstanceState[],
): InstanceFailureView | undefined => {
  const supported = useCapability('instanceFailure')
  const polling = useLivePolling(5000)
  const { data } = useQuery({
    ...apiQuery(
      'instanceFailure',
      { path: { instance: name }, query: { project } },
      { allow404: true },
    ),
    enabled: supported && states.includes(runState),
    refetchInterval: polling,
  })
  return states.includes(runState) ? (data ?? undefined) : undefined
}

/**
 * The failure of an instance; undefined if it has not failed or the control plane lacks the
 * extension.
 */
export const useFailure = (
  params: Pick<InstanceParams, 'project'>,
  instance: Instance,
): InstanceFailure | undefined => useFailureView(params, instance, ['failed'])?.failure ?? undefined

/** The current time, updated each second while running. */
export function useNow(running: boolean): Date {
  const [now, setNow] = useState(() => new Date())
  useEffect(() => {
    if (!running) return
    const timer = setInterval(() => setNow(new Date()), 1000)
    return () => clearInterval(timer)
  }, [running])
  return now
}
