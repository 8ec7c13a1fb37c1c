import type { Instance } from '@steading/api/client'
import { bootMessages, guestWaitText, pauseMessages, startedStates } from '@steading/api/rules'
import { Banner } from '../../ui/banner.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { failureReason, restartText, useFailure, useFailureView, useNow } from './failure.ts'

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

/** Banner at the top of the page of an instance that has failed, is paused or finds nothing to boot from. */
export function FailureNotice({ project, instance }: FailureProps) {
  const failure = useFailure({ project }, instance)
  const view = useFailureView({ project }, instance, startedStates)
  const pause = view?.pause
  if (pause) {
    const { title, body } = pauseMessages[pause.reason]
    return (
      <div className="px-(--gutter) pb-4">
        <Banner variant="error" title={title}>
          {body} Paused <TimeAgo date={pause.timePaused} caption="Paused" ago />.
        </Banner>
      </div>
    )
  }
  if (typeof view?.guestWait === 'number') {
    return (
      <div className="px-(--gutter) pb-4">
        <Banner title="Waiting for the guest to shut down">
          {guestWaitText(instance.runState, view.guestWait)}
        </Banner>
      </div>
    )
  }
  if (view?.nothingToBoot) {
    return (
      <div className="px-(--gutter) pb-4">
        <Banner variant="error" title={bootMessages.nothing.title}>
          {bootMessages.nothing.body}
        </Banner>
      </div>
    )
  }
  if (!failure) return null
  return (
    <div className="px-(--gutter) pb-4">
      <Banner variant="error" title="The instance has failed">
        <FailureSentences project={project} instance={instance} />
      </Banner>
    </div>
  )
}
