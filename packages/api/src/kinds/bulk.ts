/** Which kinds of things jobs act on, and what is deleted before what. */
import {
  DELETION_TYPED_FROM,
  type DeletionRule,
  type deletionKinds,
} from '../workspace/deletion/rules.ts'
import type { JobAction } from '../workspace/jobs/rules.ts'
import { type KindName, kinds, type KindsWith, kindsWith, kindTable } from './kinds.ts'

/** Kinds of things a job can be asked to do something with. */
export type JobTargetKind = KindsWith<'bulk'>
export const jobTargetKinds = kindsWith('bulk')

/** Kinds of things that appear in items: also what is in the way of a target. */
export type JobThingKind = KindsWith<'deletion'>
export const jobThingKinds = kindsWith('deletion')

/** What a job can do with many things of a kind. */
export const bulkActions = (kind: JobTargetKind): readonly JobAction[] => kinds[kind].bulk

/** Whether a kind of thing can be asked for an action in bulk. */
export const bulkCan = (kind: JobTargetKind, action: JobAction): boolean =>
  bulkActions(kind).includes(action)

export const deletionRule = (kind: JobThingKind): DeletionRule => kindTable[kind].deletion!

/** Whether data is lost when things of a kind are deleted. */
export const holdsData = (kind: JobThingKind): boolean => deletionRule(kind).holdsData === true

/**
 * Whether who deletes targets of a kind has to type their name, or the number of things lost.
 * @param destroys how many things that hold data are deleted
 */
export const deletionIsTyped = (target: JobThingKind, destroys: number): boolean =>
  deletionRule(target).typed === true || destroys >= DELETION_TYPED_FROM

/** Kinds of things that would stay without a target, and that a job can be told to take along. */
export const mayGoAlong = (target: JobTargetKind): readonly JobThingKind[] =>
  (deletionRule(target).along ?? []) as readonly JobThingKind[]

/** Whether things of a kind can be taken along when a target is deleted. */
export const goesAlong = (target: JobTargetKind, kind: JobThingKind): boolean =>
  mayGoAlong(target).includes(kind)

/** Kinds whose things keep a project from being deleted, in the order in which they are told. */
export const projectContents = jobThingKinds.filter((kind) => deletionRule(kind).inProject)

/** Kinds whose things are directly inside of one of a kind, and keep it from being deleted. */
export const contentsOf = (kind: JobThingKind): readonly JobThingKind[] =>
  kind === 'project'
    ? projectContents
    : ((deletionRule(kind).contains ?? []) as readonly JobThingKind[])

/** Whether a chain of steps deletes what is inside of a thing of a kind before the thing. */
export const isContainer = (kind: JobThingKind): boolean => contentsOf(kind).length > 0

/** What has to be deleted before things of a kind. A project goes after all that is inside of it. */
const before = (kind: JobThingKind): readonly string[] =>
  kind === 'project'
    ? jobThingKinds.filter((one) => one !== kind)
    : [...deletionRule(kind).after, ...contentsOf(kind)]

/**
 * The order of deleting, and of judging what can be deleted: a kind that decides about another
 * comes before it.
 */
export const deletionOrder: readonly JobThingKind[] = inOrder()

function inOrder(): JobThingKind[] {
  const order: JobThingKind[] = []
  const waiting = new Set<JobThingKind>(jobThingKinds)
  while (waiting.size > 0) {
    const next = [...waiting].find((kind) =>
      before(kind).every((one) => !waiting.has(one as JobThingKind)),
    )
    if (!next) throw new Error(`kinds are deleted after each other: ${[...waiting].join(', ')}`)
    order.push(next)
    waiting.delete(next)
  }
  return order
}

/** What things are called in sentences. */
export const thingWords = (kind: KindName): string => kindTable[kind].words

export type DeletionKind = JobThingKind | (typeof deletionKinds)[number]

/** Why a project with something in it cannot be deleted (control plane 5). */
export function projectContains(kind: JobThingKind, name: string): string {
  const word = deletionRule(kind).inProject!
  const article = /^[aeiou]/.test(word) ? 'an' : 'a'
  return `project to be deleted contains ${article} ${word}: ${name}`
}

/** Why something cannot be deleted while something else is directly inside of it. */
export const containerHolds = (container: JobThingKind, kind: JobThingKind, name: string): string =>
  deletionRule(container).refusal ?? projectContains(kind, name)

/** Why something cannot be deleted: something else, which would have to go first, cannot. */
export const deletionWaitsFor = (kind: JobThingKind, name: string): string =>
  `Cannot be deleted because ${thingWords(kind)} ${name} cannot`
