import type { Job, JobCreate } from '@steading/api/client'
import { asCode } from '../as-code/as-code.tsx'
import { useQuery } from '@tanstack/react-query'
import { useLocation, useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { ALL_ITEMS, apiQuery, useApiMutation } from '../../data/api.ts'
import { seedAnswer } from '../../data/seed-answer.ts'
import { ErrorBanner } from '../../ui/banner.tsx'
import { CheckboxInput } from '../../ui/checkbox-input.tsx'
import { useCodeView } from '../../ui/code-view.tsx'
import { cx } from '../../ui/cx.ts'
import { ModalFooter, ModalParts } from '../../ui/modal.tsx'
import { useConfirmWord } from './confirm-word.tsx'
import { keepsAll, RestorableNote, useRestorableHours } from '../deleted-resources/restorable.tsx'
import { deleteOptions } from './delete-options.ts'
import { jobSteps, notifyStarted, usePlanJob } from './open-job.ts'
import { TagsChangeView } from '../tags/tag-chip.tsx'
import { JobItems } from './job-items.tsx'
import { countedNoun, isPlain, planText, stepDone, stepVerb } from './job-text.ts'
import type { Planning } from './planning.ts'
import { anySearch } from '../../data/addresses.ts'

type JobPlanProps = { job: Job; planning: Planning | undefined; onDismiss: () => void }

/** The plan of a job, before it starts. */
export function JobPlan({ job, planning, onDismiss }: JobPlanProps) {
  const { action, kind } = job
  const navigate = useNavigate()
  const { jobRequest, jobLeavesTo } = useLocation({ select: (location) => location.state })
  const request = planning?.request ?? jobRequest
  const start = useApiMutation('jobStart', {
    onSuccess: (started) => {
      notifyStarted(job.id)
      seedAnswer('jobView', { path: { job: job.id } }, started)
    },
  })
  const known = useReach(job)
  const reach = known ?? 0
  const begin = async () => {
    // Leave the page of a resource before the job deletes it.
    if (jobLeavesTo) {
      await navigate({
        to: jobLeavesTo,
        search: anySearch({ job: job.id }),
        state: { jobRequest },
      })
    }
    start.mutate({ path: { job: job.id } })
  }
  const hours = useRestorableHours(kind)
  const alone = request ? keepsAll(request.with ?? []) : job.destroys <= job.targets
  const isKept = Boolean(job.projectId) && hours > 0 && alone
  const word = useConfirmWord({ ...job, isKept })
  const error = planning?.error ?? start.error
  const busy = Boolean(planning && !planning.error)
  const codeView = useCodeView(request && (() => asCode(...jobSteps(request))))
  const isSafe = ['start', 'snapshot', 'tag', 'restore'].includes(action)
  return (
    <ModalParts
      above={codeView.view}
      footer={
        <ModalFooter
          onDismiss={onDismiss}
          actionText={`${stepVerb(action)} ${countedNoun(kind, reach)}`}
          danger={!isSafe}
          loading={start.isPending || busy || known === undefined}
          sends
          disabledReason={known === 0 ? `None of these can be ${stepDone(action)}` : word.missing}
          onAction={() => void begin()}
        >
          {codeView.toggle}
        </ModalFooter>
      }
    >
      <div className="flex min-h-full flex-col gap-4 pt-1">
        <ErrorBanner messages={error ? [error.message] : []} />
        <output className={cx('text-base font-medium text-primary', busy && 'is-waiting')}>
          {known === undefined ? '…' : planText(job, known)}
        </output>
        {job.tags && <TagsChangeView {...job.tags} />}
        {action === 'delete' && job.projectId && (
          <RestorableNote kind={kind} several={reach !== 1} />
        )}
        {action === 'delete' && request && (
          <DeleteChoices job={job} request={request} leaveTo={jobLeavesTo} />
        )}
        <div className={cx('flex grow flex-col', busy && 'is-waiting')} aria-busy={busy}>
          <JobItems job={job} />
        </div>
        {reach > 0 && word.field}
      </div>
    </ModalParts>
  )
}

/**
 * Number of targets that the job affects. If it has more steps than targets, a refused item may
 * be another resource.
 */
function useReach(job: Job): number | undefined {
  const { id, kind, action, targets, counts } = job
  const simple = isPlain(job) || counts.refused === 0
  const { data } = useQuery({
    ...apiQuery(
      'jobItemList',
      { path: { job: id }, query: { state: 'refused', limit: ALL_ITEMS } },
      { allow404: true, staleTime: Infinity },
    ),
    enabled: !simple,
  })
  if (simple) return targets - counts.refused
  const refused = data?.items.filter(({ step, thing }) => step === action && thing.kind === kind)
  return refused && Math.max(0, targets - refused.length)
}

type DeleteChoicesProps = { job: Job; request: JobCreate; leaveTo: string | undefined }

/** The options of a deletion; a change plans the job again. */
function DeleteChoices({ job, request, leaveTo }: DeleteChoicesProps) {
  const plan = usePlanJob()
  const canChain = useCapability('deletion')
  const { chain, cascades } = deleteOptions(job.kind, job.targets)
  const chosen = request.with ?? []
  const change = (changes: Partial<JobCreate>) =>
    plan({ ...request, ...changes }, { instead: job.id, leaveTo })
  if (!canChain || (!chain && cascades.length === 0)) return null
  return (
    <div role="group" aria-label="Also" className="flex flex-wrap gap-x-5 gap-y-2">
      {chain && (
        <Choice checked={request.chain ?? false} onChange={(on) => change({ chain: on })}>
          {chain}
        </Choice>
      )}
      {cascades.map(({ kind, label }) => (
        <Choice
          key={kind}
          checked={chosen.includes(kind)}
          onChange={(on) =>
            change({ with: on ? [...chosen, kind] : chosen.filter((each) => each !== kind) })
          }
        >
          {label}
        </Choice>
      ))}
    </div>
  )
}

type ChoiceProps = { checked: boolean; onChange: (on: boolean) => void; children: ReactNode }

const Choice = ({ checked, onChange, children }: ChoiceProps) => (
  <label className="flex w-fit items-start gap-2 text-primary">
    <CheckboxInput
      className="mt-0.5"
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
    />
    <span>{children}</span>
  </label>
)
