/**
 * What becomes of things when something else is deleted. Each resource declares it about its own
 * things, in `deletion.ts` of its folder; descriptions and plans of deletions derive from it.
 */
import type { Wire } from '@steading/api'
import type { DeletionKind, DeletionRelation, JobThingKind } from '@steading/api/rules'
import type { RawBuilder } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import type { Work } from '../../../kernel/work.ts'
import type { Its, Thing } from './things.ts'

export type Asker = Pick<Work, 'db' | 'actor'>
export type Groups = Promise<Wire.DeletionGroup[]>

/** How things of a kind are related to the things of another kind, which may be deleted. */
export interface Relation {
  kind: DeletionKind
  relation: Exclude<DeletionRelation, 'blocks'>
  /** SQL of a query with the columns `id` and `owner_id`: the related things and their owners. */
  pairs: RawBuilder<unknown>
  reason: string
  /** Where the things are, if plans of deletions do not know their kind. */
  rows?: (db: Db) => Its
  /** They may be in other projects than their owner, or in the silo. */
  elsewhere?: true
  /** The column of their names, if not `name`. */
  name?: string
  detail?: RawBuilder<string | null>
}

/**
 * What else happens when a thing is deleted.
 * @param can whether the caller may delete the thing
 */
export type Tell = (asker: Asker, owner: Thing, can: boolean) => Groups

interface Declared {
  relations: Relation[]
  told: Tell[]
}
const declared = new Map<JobThingKind, Declared>()

/** Everything that resources have declared about the deletion of things of a kind. */
export function whenDeleted(owner: JobThingKind): Declared {
  const all = declared.get(owner) ?? { relations: [], told: [] }
  declared.set(owner, all)
  return all
}

/** Declares what becomes of some things when their owner is deleted. */
export function relate(owner: JobThingKind, relation: Relation): void {
  whenDeleted(owner).relations.push(relation)
}

/** Declares what else happens when a thing is deleted. */
export function tell(owner: JobThingKind, about: Tell): void {
  whenDeleted(owner).told.push(about)
}

/** @returns the relation of things of a kind that can be deleted along with their owner */
export const relationTo = (owner: JobThingKind, kind: JobThingKind): Relation =>
  whenDeleted(owner).relations.find((one) => one.kind === kind)!
