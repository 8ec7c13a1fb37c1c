/**
 * The relations of resources to the deletion of others. Each kind declares them about its own
 * resources, in `kind.ts`; descriptions and plans of deletions derive from them.
 */
import type { Wire } from '@steading/api'
import type { DeletionKind, DeletionRelation, JobResourceKind } from '@steading/api/rules'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { storedKind, storedKinds } from '../../../kernel/kinds.ts'
import type { Work } from '../../../kernel/work.ts'
import {
  type RelatedRows,
  relatedRowsIn,
  type RelatedRow,
  type DeletableRow,
  deletableRows,
} from './deletable-rows.ts'

export type Reader = Pick<Work, 'db' | 'actor'>
export type Groups = Promise<Wire.DeletionGroup[]>

/** The fate of resources of a kind when another resource, their owner, is deleted. */
export interface DeclaredRelation {
  owner: JobResourceKind
  relation: Exclude<DeletionRelation, 'blocks'>
  /**
   * SQL of a query with the columns `id` and `owner_id`: the related resources and their owners.
   */
  pairs: RawBuilder<unknown>
  reason: string
  /** The kind in the groups of a description, if not the declaring kind. */
  kind?: DeletionKind
  /** SQL of their rows, if these are not the live ones of the declaring kind. */
  from?: (ownerId: string) => RawBuilder<RelatedRow>
  /** They may be in other projects than their owner, or in the silo. */
  elsewhere?: true
  /** The column of their names, if not `name`. */
  name?: string
  detail?: RawBuilder<string | null>
}

export interface Relation extends Omit<DeclaredRelation, 'from'> {
  kind: DeletionKind
  /** The rows of the resources of an owner, with nothing selected. */
  rows: (db: Db, ownerId: string) => RelatedRows
}

declare module '../../../kernel/kinds.ts' {
  interface Storage {
    /** The fate of its resources, or of parts of them, when another resource is deleted. */
    relations?: readonly DeclaredRelation[]
  }
  interface StoredDeletion {
    /** The groups for parts of a resource that are not resources themselves, such as its bytes. */
    parts?: (reader: Reader, thing: DeletableRow) => Groups
    /** SQL of the detail shown for each of these resources that block a VPC or a subnet. */
    detail?: RawBuilder<string | null>
    /**
     * The reason why one in a VPC or a subnet blocks it, if the API's refusal does not explain it
     * well.
     */
    inWay?: string
  }
}

/** The relations of all kinds to the deletion of resources of a kind. */
export const relationsTo = (owner: JobResourceKind): Relation[] =>
  storedKinds().flatMap(({ kind, relations = [] }) =>
    relations
      .filter((one) => one.owner === owner)
      .map(({ from, ...one }) => ({
        kind: kind as DeletionKind,
        ...one,
        rows: (db, ownerId) =>
          (from ? relatedRowsIn(db, from(ownerId)) : deletableRows(db, kind)).where(
            sql<boolean>`its.id in (
              select id from (${one.pairs}) as pair where owner_id = ${ownerId})`,
          ),
      })),
  )

/** @returns the relation of resources of a kind that can be deleted along with their owner */
export const relationTo = (owner: JobResourceKind, kind: JobResourceKind): Relation =>
  relationsTo(owner).find((one) => one.kind === kind)!

/** The groups for the parts of a resource that are not resources themselves. */
export const partsOf = async (reader: Reader, thing: DeletableRow): Groups =>
  (await storedKind(thing.kind).deletion?.parts?.(reader, thing)) ?? []
