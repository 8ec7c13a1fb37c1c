import type { Instance, InstanceHostStory } from '@steading/api/client'
import {
  bootMessages,
  guestWaitText,
  hostSilentTitle,
  pauseMessages,
  startedStates,
} from '@steading/api/rules'
import { Banner, type BannerProps } from '../../ui/banner.tsx'
import { DateTime, TimeAgo } from '../../ui/time.tsx'
import { failureReason, restartText, useFailure, useFailureView, useNow } from './failure.ts'

/** The states whose notices need the view of failures. */
const noticedStates = [...startedStates, 'starting', 'failed'] as const

/** The events around the host of an instance, in order. */
const HostEvents = ({ events }: Pick<InstanceHostStory, 'events'>) => (
  <ol aria-label="Events of its host" className="mt-1">
    {events.map(({ timeRecorded, sentence }, index) => (
      // Events are only added at the end.
      // eslint-disable-next-line react/no-array-index-key
      <li key={index}>
        <DateTime date={timeRecorded} /> {sentence}
      </li>
    ))}
  </ol>
)

type FailureProps = { project: string; instance: Instance }

/** Why an instance has failed, and when it is restarted. */
export function FailureSentences({ project, instance }: FailureProps) {
  const failure = useFailure({ project }, instance)
  const now = useNow(Boolean(failure?.timeRestart))
  if (!failure) return null
  return (
    <>
      {failureReason(failure)} {restartText(failure, now.getTime())}
    </>
  )
}

/** The state of an instance that its page has to explain; undefined if there is none. */
function useNotice({ project, instance }: FailureProps): BannerProps | undefined {
  const failure = useFailure({ project }, instance)
  const view = useFailureView({ project }, instance, noticedStates)
  const story = view?.hostStory
  if (story?.waiting) {
    return {
      variant: 'error',
      title: hostSilentTitle,
      children: (
        <>
          {story.waiting}.
          <HostEvents events={story.events} />
        </>
      ),
    }
  }
  if (view?.pause) {
    const { reason, timePaused } = view.pause
    const { title, body } = pauseMessages[reason]
    return {
      variant: 'error',
      title,
      children: (
        <>
          {body} Paused <TimeAgo date={timePaused} caption="Paused" ago />.
        </>
      ),
    }
  }
  if (typeof view?.guestWait === 'number') {
    return {
      title: 'Waiting for the guest to shut down',
      children: guestWaitText(instance.runState, view.guestWait),
    }
  }
  if (view?.nothingToBoot) {
    const { title, body } = bootMessages.nothing
    return { variant: 'error', title, children: body }
  }
  if (failure) {
    return {
      variant: 'error',
      title: 'The instance has failed',
      children: (
        <>
          <FailureSentences project={project} instance={instance} />
          {story && <HostEvents events={story.events} />}
        </>
      ),
    }
  }
  if (story) {
    return {
      title: 'The host of the instance did not answer',
      children: <HostEvents events={story.events} />,
    }
  }
  return undefined
}

/**
 * Banner at the top of the page of an instance that has failed or is paused, whose guest takes long
 * to shut down, or which has nothing to boot from.
 */
export function FailureNotice(props: FailureProps) {
  const notice = useNotice(props)
  return notice && <Banner className="mx-(--gutter) mb-4" {...notice} />
}
