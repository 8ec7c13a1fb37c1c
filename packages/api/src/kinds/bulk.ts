/** Kinds that jobs act on, and the order of deletion. */
import {
  DELETION_TYPED_FROM,
  type DeletionRule,
  type deletionKinds,
} from '../workspace/deletion/rules.ts'
import { type JobAction, jobActions } from '../workspace/jobs/rules.ts'
import type { Kind } from './kind.ts'
import { type KindName, kinds, type KindsWith, kindsWith, kindTable } from './kinds.ts'

/** Kinds of job targets. */
export type JobTargetKind = KindsWith<'bulk'>
export const jobTargetKinds = kindsWith('bulk')

/**
 * The kind after which the operations of a kind are named: a kind of silos whose resources may also
 * belong to a project shares those of the projects' kind.
 */
export const kindOfOperations = (kind: JobTargetKind): JobTargetKind => {
  const shared = kind.replace(/^silo_/, '') as JobTargetKind
  return jobTargetKinds.includes(shared) ? shared : kind
}

/** Kinds of job items: targets, and obstacles to their deletion. */
export type JobResourceKind = KindsWith<'deletion'>
export const jobResourceKinds = kindsWith('deletion')

const bulkActionsByKind = Object.fromEntries(
  jobTargetKinds.map((kind) => {
    const { bulk, listed }: Kind = kinds[kind]
    // The tags of a deleted resource are those that it had.
    const tagged = listed && !bulk!.includes('restore')
    return [kind, jobActions.filter((one) => bulk!.includes(one) || (one === 'tag' && tagged))]
  }),
) as unknown as Record<JobTargetKind, readonly JobAction[]>

/** Bulk actions of a kind: its own, and tagging if it has a list. */
export const bulkActions = (kind: JobTargetKind): readonly JobAction[] => bulkActionsByKind[kind]

/** Whether a kind has a bulk action. */
export const bulkCan = (kind: JobTargetKind, action: JobAction): boolean =>
  bulkActions(kind).includes(action)

export const deletionRule = (kind: JobResourceKind): DeletionRule => kindTable[kind].deletion!

/** Whether deleting resources of a kind loses data. */
export const holdsData = (kind: JobResourceKind): boolean => deletionRule(kind).holdsData === true

/**
 * Whether deleting targets requires typing their name, or the number of resources lost.
 * @param destroys number of deleted resources that hold data
 */
export const deletionIsTyped = (target: JobResourceKind, destroys: number): boolean =>
  deletionRule(target).typed === true || destroys >= DELETION_TYPED_FROM

/** Dependents: kinds that stay unless the job is told to delete them with a target. */
export const cascadesOf = (target: JobTargetKind): readonly JobResourceKind[] =>
  (deletionRule(target).cascades ?? []) as readonly JobResourceKind[]

/** Whether a kind is a dependent of a target's kind. */
export const cascadesTo = (target: JobTargetKind, kind: JobResourceKind): boolean =>
  cascadesOf(target).includes(kind)

/** Kinds that keep a project from being deleted, in the order of the refusals. */
export const projectContents = jobResourceKinds.filter((kind) => deletionRule(kind).inProject)

/** Kinds directly inside another kind that keep its resources from being deleted. */
export const contentsOf = (kind: JobResourceKind): readonly JobResourceKind[] =>
  kind === 'project'
    ? projectContents
    : ((deletionRule(kind).contains ?? []) as readonly JobResourceKind[])

/** Whether a chain deletes the contents of a resource of this kind before the resource. */
export const isContainer = (kind: JobResourceKind): boolean => contentsOf(kind).length > 0

/** Kinds that are deleted before a kind. A project is deleted after all its contents. */
const before = (kind: JobResourceKind): readonly string[] =>
  kind === 'project'
    ? jobResourceKinds.filter((one) => one !== kind)
    : [...deletionRule(kind).after, ...contentsOf(kind)]

/**
 * Order of deleting, and of deciding whether resources can be deleted: a kind that affects another
 * comes before it.
 */
export const deletionOrder: readonly JobResourceKind[] = inOrder()

function inOrder(): JobResourceKind[] {
  const order: JobResourceKind[] = []
  const waiting = new Set<JobResourceKind>(jobResourceKinds)
  while (waiting.size > 0) {
    const next = [...waiting].find((kind) =>
      before(kind).every((one) => !waiting.has(one as JobResourceKind)),
    )
    if (!next) throw new Error(`kinds are deleted after each other: ${[...waiting].join(', ')}`)
    order.push(next)
    waiting.delete(next)
  }
  return order
}

/** Name of a kind in sentences. */
export const kindLabels = (kind: KindName): string => kindTable[kind].words

export type DeletionKind = JobResourceKind | (typeof deletionKinds)[number]

/** Refusal to delete a project that is not empty (control plane 5). */
export function projectContains(kind: JobResourceKind, name: string): string {
  const word = deletionRule(kind).inProject!
  const article = /^[aeiou]/.test(word) ? 'an' : 'a'
  return `project to be deleted contains ${article} ${word}: ${name}`
}

/** Refusal to delete a container that is not empty. */
export const containerHolds = (
  container: JobResourceKind,
  kind: JobResourceKind,
  name: string,
): string => deletionRule(container).refusal ?? projectContains(kind, name)

/** Refusal to delete a resource whose obstacle cannot be deleted. */
export const deletionWaitsFor = (kind: JobResourceKind, name: string): string =>
  `Cannot be deleted because ${kindLabels(kind)} ${name} cannot`
