import type { Deletion, DeletionGroup, DeletionRelation, JobCreate } from '@steading/api/client'
import { asCode } from '../as-code/as-code.tsx'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { apiQuery } from '../data/api.ts'
import { useCapability } from '../data/capabilities.ts'
import { useLivePolling } from '../data/live.ts'
import { QueryError } from '../page/query-error.tsx'
import { CheckboxInput } from '../ui/checkbox-input.tsx'
import { useCodeView } from '../ui/code-view.tsx'
import { Modal, ModalFooter } from '../ui/modal.tsx'
import { formatCount } from '../ui/number.ts'
import { SkeletonCell } from '../ui/table.tsx'
import { Strong } from '../ui/text.tsx'
import { errorToast } from '../ui/toasts.tsx'
import { stopAskingDeletion, type Deletable } from './ask-deletion.ts'
import { jobSteps } from './job-steps.ts'
import { counted } from './job-text.ts'
import { usePlanJob } from './open-job.ts'

function deletionQuery({ kind, id }: Deletable) {
  const extras = { allow404: true, staleTime: 0 }
  const queries = {
    instance: () => apiQuery('instanceDeletion', { path: { instance: id } }, extras),
    disk: () => apiQuery('diskDeletion', { path: { disk: id } }, extras),
    snapshot: () => apiQuery('snapshotDeletion', { path: { snapshot: id } }, extras),
    image: () => apiQuery('imageDeletion', { path: { image: id } }, extras),
    project: () => apiQuery('projectDeletion', { path: { project: id } }, extras),
  }
  // All of them answer the same.
  return queries[kind]() as { queryKey: readonly unknown[]; queryFn: () => Promise<Deletion> }
}

/** What the button says if it also stops or detaches, and nothing else is deleted. */
const chainVerbs: { [Kind in Deletable['kind']]?: string } = {
  instance: 'Stop and delete',
  disk: 'Detach and delete',
}

const sections: { relation: DeletionRelation; title: string }[] = [
  { relation: 'blocks', title: 'In the way' },
  { relation: 'goes', title: 'Goes with it' },
  { relation: 'stays', title: 'Stays' },
]

/** Asks before something is deleted: what else goes, what stays, and what is in the way. */
export function DeletionDialog({ thing }: { thing: Deletable }) {
  const { kind, id, name, project, extra, action, leaveTo } = thing
  const [deleting, setDeleting] = useState(false)
  const { data, error, refetch } = useQuery({
    ...deletionQuery(thing),
    refetchInterval: useLivePolling(5000),
    // A thing that is being deleted is not read any more.
    enabled: !deleting,
  })
  const canChain = useCapability('jobs')
  const plan = usePlanJob()
  const [going, setGoing] = useState<ReadonlySet<string>>(new Set())
  const groups = data?.groups ?? []
  const blocking = groups.filter(({ relation }) => relation === 'blocks')
  const also = groups.filter((group) => isOffered(group) && going.has(group.kind))
  // An instance in the way of a disk is stopped, not deleted; all that is in a project goes.
  const deleted = kind === 'project' ? [...blocking, ...also] : also
  const others = deleted.reduce((sum, { total }) => sum + total, 0)
  const isChain = blocking.length > 0 || also.length > 0
  const stuck = blocking.find(({ canGo }) => !canGo || !canChain)

  const toggle = (group: string) => {
    const next = new Set(going)
    if (!next.delete(group)) next.add(group)
    setGoing(next)
  }
  const deleteIt = async () => {
    setDeleting(true)
    try {
      await action()
    } catch (failure) {
      errorToast(
        `Could not delete ${kind}`,
        failure instanceof Error ? failure.message : String(failure),
      )
    }
    stopAskingDeletion()
  }
  const request: JobCreate = {
    action: 'delete',
    kind,
    project: kind === 'project' ? undefined : project,
    target: { type: 'ids', ids: [id] },
    chain: blocking.length > 0,
    with: also.map((group) => group.kind) as JobCreate['with'],
  }
  const planIt = () => {
    stopAskingDeletion()
    plan(request, { leaveTo })
  }
  const codeView = useCodeView(isChain ? () => asCode(...jobSteps(request)) : thing.code)
  return (
    <Modal
      title={`Delete ${kind}`}
      onDismiss={stopAskingDeletion}
      width={codeView.open ? 'wide' : undefined}
      above={codeView.view}
      footer={
        <ModalFooter
          onDismiss={stopAskingDeletion}
          actionText={
            !isChain
              ? 'Confirm'
              : others > 0
                ? `Delete with ${formatCount(others)} other ${others === 1 ? 'thing' : 'things'}`
                : (chainVerbs[kind] ?? 'Delete in steps')
          }
          danger
          loading={deleting}
          disabled={!data}
          disabledReason={stuck?.reason}
          onAction={() => (isChain ? planIt() : void deleteIt())}
        >
          {codeView.toggle}
        </ModalFooter>
      }
    >
      <div className="flex flex-col gap-4">
        <p>
          Are you sure you want to delete <Strong>{name}</Strong>?
          {data && groups.every(({ relation }) => relation !== 'stays') && extra && <> {extra}</>}
        </p>
        {data ? (
          sections.map(({ relation, title }) => (
            <Section
              key={relation}
              title={title}
              groups={groups.filter((group) => group.relation === relation)}
              offers={canChain}
              going={going}
              onToggle={toggle}
            />
          ))
        ) : error ? (
          <div className="[--gutter:0px]">
            <QueryError error={error} onRetry={refetch} />
          </div>
        ) : (
          <Skeleton />
        )}
      </div>
    </Modal>
  )
}

const isOffered = ({ relation, canGo }: DeletionGroup) => relation === 'stays' && canGo

type SectionProps = {
  title: string
  groups: DeletionGroup[]
  offers: boolean
  going: ReadonlySet<string>
  onToggle: (kind: string) => void
}

function Section({ title, groups, offers, going, onToggle }: SectionProps) {
  if (groups.length === 0) return null
  const reasons = groups.map(({ reason }) => reason)
  const shared = reasons.find((reason, index) => reasons.indexOf(reason) !== index)
  return (
    <section className="flex flex-col gap-1.5">
      <h3 className="caps text-tertiary">{title}</h3>
      {shared && <p className="text-xs">{shared}</p>}
      <ul className="flex flex-col divide-y divide-line overflow-hidden rounded-card border bg-raised">
        {groups.map((group) => (
          <li
            key={`${group.kind} ${group.reason} ${group.canGo}`}
            className="flex flex-col gap-1 px-3 py-2.5"
          >
            <span className="font-medium text-primary">{titleOf(group)}</span>
            <Names group={group} />
            {group.reason !== shared && <span className="text-xs">{group.reason}</span>}
            {offers && isOffered(group) && (
              <label className="mt-1 flex w-fit items-center gap-2 text-primary">
                <CheckboxInput
                  checked={going.has(group.kind)}
                  onChange={() => onToggle(group.kind)}
                />
                {group.total === 1 ? 'Delete it too' : `Delete these ${group.total} too`}
                <span className="sr-only">({counted(group.kind, group.total)})</span>
              </label>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** There is only one of some kinds; counting it would say nothing. */
const titleOf = ({ kind, total }: DeletionGroup): string =>
  kind === 'data' ? 'Its data' : kind === 'serial_console' ? 'Serial console' : counted(kind, total)

function Names({ group: { kind, first, total } }: { group: DeletionGroup }) {
  if (first.length === 0 || kind === 'data' || kind === 'serial_console') return null
  const more = total - first.length
  return (
    <span className="wrap-anywhere">
      {first.map(({ id, name, detail }, index) => (
        <span key={id}>
          {index > 0 && ', '}
          {name}
          {detail && <span className="text-tertiary"> ({detail})</span>}
        </span>
      ))}
      {more > 0 && ` and ${formatCount(more)} more`}
    </span>
  )
}

const Skeleton = () => (
  <div role="group" aria-busy="true" aria-label="Loading" className="flex flex-col gap-1.5">
    <SkeletonCell width="w-20" />
    <div className="flex flex-col gap-3 rounded-card border bg-raised px-3 py-4">
      <SkeletonCell width="w-24" />
      <SkeletonCell width="w-56" />
    </div>
  </div>
)
