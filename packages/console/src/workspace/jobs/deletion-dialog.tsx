import type { Deletion, DeletionGroup, JobCreate } from '@steading/api/client'
import {
  deletionSentences,
  holdsData,
  isContainer,
  jobResourceKinds,
  type JobResourceKind,
} from '@steading/api/rules'
import { asCode } from '../as-code/as-code.tsx'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { apiQuery } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useLivePolling } from '../../data/live.ts'
import { QueryError } from '../../page/query-error.tsx'
import { CheckboxInput } from '../../ui/checkbox-input.tsx'
import { useCodeView } from '../../ui/code-view.tsx'
import { Modal, ModalFooter } from '../../ui/modal.tsx'
import { useLoadingDialog } from '../../ui/dialog.tsx'
import { capitalized, uncapitalized } from '../../ui/list-controls/count-text.ts'
import { formatNumber } from '../../ui/number.ts'
import { SkeletonCell } from '../../ui/table.tsx'
import { Strong } from '../../ui/text.tsx'
import { errorToast } from '../../ui/toasts.tsx'
import {
  keepsAll,
  RestorableNote,
  useRestorableHours,
  withUndo,
} from '../deleted-resources/restorable.tsx'
import { stopAskingDeletion, type Deletable } from './ask-deletion.ts'
import { jobSteps, usePlanJob } from './open-job.ts'
import { useConfirmWord } from './confirm-word.tsx'
import { countedNoun, nounOf, stepVerb } from './job-text.ts'

function deletionQuery({ kind, id }: Deletable) {
  const extras = { allow404: true, staleTime: 0 }
  const queries = {
    instance: () => apiQuery('instanceDeletion', { path: { instance: id } }, extras),
    disk: () => apiQuery('diskDeletion', { path: { disk: id } }, extras),
    snapshot: () => apiQuery('snapshotDeletion', { path: { snapshot: id } }, extras),
    image: () => apiQuery('imageDeletion', { path: { image: id } }, extras),
    project: () => apiQuery('projectDeletion', { path: { project: id } }, extras),
    vpc: () => apiQuery('vpcDeletion', { path: { vpc: id } }, extras),
    vpc_subnet: () => apiQuery('vpcSubnetDeletion', { path: { subnet: id } }, extras),
    system_ip_pool: () => apiQuery('systemIpPoolDeletion', { path: { pool: id } }, extras),
    system_subnet_pool: () => apiQuery('systemSubnetPoolDeletion', { path: { pool: id } }, extras),
    vpc_router: () => apiQuery('vpcRouterDeletion', { path: { router: id } }, extras),
    internet_gateway: () => apiQuery('internetGatewayDeletion', { path: { gateway: id } }, extras),
  }
  // All of them have the same answer type.
  return queries[kind]() as { queryKey: readonly unknown[]; queryFn: () => Promise<Deletion> }
}

const BLOCKS = 'Blocks deletion'

type Part = { title: string; groups: DeletionGroup[] }

/**
 * The parts of the answer: obstacles, resources deleted along, and resources that stay. The
 * contents of a project or a VPC are deleted with it where possible.
 */
function partsOf(kind: Deletable['kind'], groups: DeletionGroup[]): Part[] {
  const goes = ({ relation, canGo }: DeletionGroup) =>
    relation === 'goes' || (relation === 'blocks' && isContainer(kind) && canGo)
  return [
    {
      title: BLOCKS,
      groups: groups.filter((group) => group.relation === 'blocks' && !goes(group)),
    },
    { title: 'Deleted with it', groups: groups.filter(goes) },
    { title: 'Stays', groups: groups.filter(({ relation }) => relation === 'stays') },
  ].filter((part) => part.groups.length > 0)
}

/** Asks before a deletion, and shows what else is deleted, what stays and the obstacles. */
export function DeletionDialog({ thing }: { thing: Deletable }) {
  const { kind, noun = kind, id, name, project, lost, extra, below, action, leaveTo } = thing
  const [deleting, setDeleting] = useState(false)
  // Images of the silo are in no project.
  const hours = useRestorableHours(kind)
  const isKept = project !== undefined && hours > 0
  const { data, error, refetch } = useQuery({
    ...deletionQuery(thing),
    refetchInterval: useLivePolling(5000),
    // A resource is not read during its deletion.
    enabled: !deleting,
  })
  const late = useLate(data !== undefined, Boolean(error))
  const isComing = !data && !late
  useLoadingDialog(isComing, stopAskingDeletion)
  const canChain = useCapability('jobs')
  const plan = usePlanJob()
  const [going, setGoing] = useState<ReadonlySet<string>>(new Set())
  const groups = data?.groups ?? []
  const blocking = groups.filter(({ relation }) => relation === 'blocks')
  const also = groups.filter((group) => isOffered(group) && going.has(group.kind))
  // An instance that blocks a disk is stopped rather than deleted; the contents of a container
  // are deleted.
  const deleted = isContainer(kind) ? [...blocking.filter(({ canGo }) => canGo), ...also] : also
  const others = deleted.reduce((sum, { total }) => sum + total, 0)
  const destroys = deleted.reduce((sum, group) => sum + lostIn(group), 1)
  const notYet = groups.filter((group) => isOffered(group) && !also.includes(group))
  const mayDestroy = notYet.reduce((sum, group) => sum + lostIn(group), destroys)
  const isChain = blocking.length > 0 || also.length > 0
  const keepsIt = isKept && keepsAll(deleted.map((group) => group.kind))
  const word = useConfirmWord(
    { kind, name, destroys, isKept: keepsIt },
    {
      asks: isChain,
      mayDestroy: isKept && keepsAll(notYet.map((group) => group.kind)) ? destroys : mayDestroy,
    },
  )
  const stuck = blocking.find(({ canGo }) => !canGo || !canChain)

  const toggle = (group: string) => {
    const next = new Set(going)
    if (!next.delete(group)) next.add(group)
    setGoing(next)
  }
  const deleteIt = async () => {
    setDeleting(true)
    try {
      await (isKept ? withUndo({ kind, id, name }, action) : action())
    } catch (failure) {
      errorToast(
        `Could not delete ${noun}`,
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
  const startIt = () => {
    stopAskingDeletion()
    plan(request, { leaveTo, confirmed: true })
  }
  const codeView = useCodeView(isChain ? () => asCode(...jobSteps(request)) : thing.code)
  if (isComing) return null
  return (
    <Modal
      title={`Delete ${noun}`}
      onDismiss={stopAskingDeletion}
      width={codeView.open ? 'wide' : undefined}
      height={late ? 'low' : 'content'}
      above={codeView.view}
      footer={
        <ModalFooter
          onDismiss={stopAskingDeletion}
          actionText={isChain ? chainText(blocking, others) : 'Confirm'}
          danger
          loading={deleting}
          disabled={!data}
          sends
          disabledReason={stuck?.reason ?? word.missing}
          onAction={() => (isChain ? startIt() : void deleteIt())}
        >
          {codeView.toggle}
        </ModalFooter>
      }
    >
      <div className="flex flex-col gap-4">
        <p>
          Are you sure you want to delete <Strong>{name}</Strong>?
          {data && !isKept && lost && <> {lost}</>}
          {data && groups.every(({ relation }) => relation !== 'stays') && extra && <> {extra}</>}
        </p>
        {data ? (
          <>
            {partsOf(kind, groups).map((part) => (
              <Section
                key={part.title}
                {...part}
                name={name}
                offers={canChain}
                going={going}
                onToggle={toggle}
              />
            ))}
            {isKept && <RestorableNote kind={kind} several={others > 0} />}
            {below}
            {!stuck && word.field}
          </>
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

/** Milliseconds within which most answers arrive. */
const LATE = 400

/**
 * Whether the dialog opens before its answer, because that is slow or failed. Such a dialog has
 * a fixed height with scrollable content; a dialog that opens with its answer fits the content.
 */
function useLate(answered: boolean, failed: boolean): boolean {
  const [late, setLate] = useState(false)
  if (failed && !answered && !late) setLate(true)
  const waits = !answered && !late
  useEffect(() => {
    if (!waits) return
    const timer = setTimeout(() => setLate(true), LATE)
    return () => clearTimeout(timer)
  }, [waits])
  return late
}

const isOffered = ({ relation, canGo }: DeletionGroup) => relation === 'stays' && canGo

/** Number of resources with data that the deletion of a group destroys. */
const lostIn = ({ kind, total }: DeletionGroup): number =>
  jobResourceKinds.includes(kind as JobResourceKind) && holdsData(kind as JobResourceKind)
    ? total
    : 0

/** `Stop and delete`, `Delete in 4 steps`, `Delete with 3 other things` */
function chainText(blocking: DeletionGroup[], others: number): string {
  if (others > 0) {
    return `Delete with ${formatNumber(others)} other ${others === 1 ? 'thing' : 'things'}`
  }
  const steps = blocking.flatMap((group) => group.steps)
  return steps.length === 1
    ? `${stepVerb(steps[0]!)} and delete`
    : `Delete in ${steps.length + 1} steps`
}

type SectionProps = Part & {
  /** Name of the resource to delete. */
  name: string
  offers: boolean
  going: ReadonlySet<string>
  onToggle: (kind: string) => void
}

function Section({ title, groups, name, offers, going, onToggle }: SectionProps) {
  return (
    <section className="flex flex-col gap-1.5">
      <h3 className="label text-tertiary">{title}</h3>
      <ul className="flex flex-col divide-y divide-line overflow-hidden rounded-card border bg-raised">
        {groups.flatMap((group) =>
          linesOf(group).map((line, index, lines) => (
            <li
              key={`${group.kind} ${group.reason} ${group.canGo} ${index}`}
              className="flex flex-col gap-1 px-3 py-2"
            >
              <span className="wrap-anywhere">
                <span className="font-medium text-primary">{line.what}</span>
                {line.names && <> {line.names}</>}
                {outcomeOf(group) && <span className="text-xs"> → {outcomeOf(group)}</span>}
              </span>
              {title === BLOCKS && <span className="text-xs">{group.reason}</span>}
              {group.relation === 'blocks' && group.steps.length > 0 && (
                <span className="text-xs">First: {stepsText(group, name)}</span>
              )}
              {offers && isOffered(group) && index === lines.length - 1 && (
                <label className="flex w-fit items-center gap-2 text-primary">
                  <CheckboxInput
                    checked={going.has(group.kind)}
                    onChange={() => onToggle(group.kind)}
                  />
                  {group.total === 1 ? 'Delete it too' : `Delete these ${group.total} too`}
                  <span className="sr-only">({countedNoun(group.kind, group.total)})</span>
                </label>
              )}
            </li>
          )),
        )}
      </ul>
    </section>
  )
}

/** Groups up to this size have one line per resource, larger ones a single line. */
const LINES = 3

function linesOf(group: DeletionGroup): { what: string; names?: ReactNode }[] {
  const { kind, first, total } = group
  // Unnamed parts of which there is only one.
  if (kind === 'data') return [{ what: 'Its data' }]
  if (kind === 'serial_console') return [{ what: 'Serial console' }]
  if (total > LINES) return [{ what: countedNoun(kind, total), names: <Names group={group} /> }]
  const noun = capitalized(nounOf(kind).one)
  return first.map((thing) => ({ what: noun, names: <Name {...thing} /> }))
}

/** Reasons already expressed by the part's title. */
const impliedReasons: readonly string[] = [
  deletionSentences.kept,
  deletionSentences.network_interface,
  deletionSentences.partOfVpc,
  deletionSentences.partOfSubnet,
  deletionSentences.partOfPool,
]

/** Fate of the resources that go or stay. */
const outcomeOf = ({ relation, reason }: DeletionGroup): string | undefined =>
  relation === 'blocks' || impliedReasons.includes(reason) ? undefined : uncapitalized(reason)

const Name = ({ name, detail }: DeletionGroup['first'][number]) => (
  <>
    {name}
    {detail && <span className="text-tertiary"> ({detail})</span>}
  </>
)

function Names({ group: { first, total } }: { group: DeletionGroup }) {
  const more = total - first.length
  return (
    <>
      {first.map((thing, index) => (
        <span key={thing.id}>
          {index > 0 && ', '}
          <Name {...thing} />
        </span>
      ))}
      {more > 0 && ` and ${formatNumber(more)} more`}
    </>
  )
}

/** `stop wheel, unset its boot disk, detach grain` */
const stepsText = (group: DeletionGroup, name: string): string =>
  group.steps
    .map((step) =>
      step === 'unset_boot_disk'
        ? 'unset its boot disk'
        : step === 'stop'
          ? `stop ${stoppedIn(group)}`
          : `${uncapitalized(stepVerb(step))} ${name}`,
    )
    .join(', ')

/** The instances to stop for obstacles: the obstacle itself, or the ones it is part of. */
const stoppedIn = ({ kind, total, first: [blocker] }: DeletionGroup): string | undefined =>
  kind === 'instance' ? blocker?.name : total > LINES ? 'their instances' : 'its instance'

const Skeleton = () => (
  <div role="group" aria-busy="true" aria-label="Loading" className="flex flex-col gap-1.5">
    <SkeletonCell width="w-20" />
    <div className="flex flex-col gap-3 rounded-card border bg-raised px-3 py-4">
      <SkeletonCell width="w-24" />
      <SkeletonCell width="w-56" />
    </div>
  </div>
)
