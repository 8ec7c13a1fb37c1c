import type { Instance } from '@steading/api/client'
import { Banner } from '../../ui/banner.tsx'
import { failureReason, restartText, useFailure, useNow } from './failure.ts'

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

/** Banner at the top of a failed instance's page. */
export function FailureNotice({ project, instance }: FailureProps) {
  if (!useFailure({ project }, instance)) return null
  return (
    <div className="px-(--gutter) pb-4">
      <Banner variant="error" title="The instance has failed">
        <FailureSentences project={project} instance={instance} />
      </Banner>
    </div>
  )
}
