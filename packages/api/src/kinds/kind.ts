import type { DeletionRule } from '../workspace/deletion/rules.ts'
import type { JobAction } from '../workspace/jobs/rules.ts'
import type { AccessRule } from '../rules/roles.ts'

/**
 * The declaration of a kind, in `kind.ts` of its folder. Authorization, lookups, lists, events,
 * jobs, deletion and the console's live updates derive from it; `kinds/index.ts` collects the
 * declarations. The control plane adds the storage (`resources/…/kind.ts` there).
 */
export interface Kind {
  /**
   * Name of the kind in errors: `not found: disk with id "…"`. Its name here with dashes unless
   * given.
   */
  type?: string
  /** Name in errors about a lookup by name, where it differs. */
  namedType?: string
  /**
   * Name in sentences: "Affinity group". Lower case except for abbreviations. The type with spaces
   * unless given.
   */
  words?: string
  /**
   * Name in events and folders, and in most paths: plural, with dashes. The type with an "s" unless
   * given.
   */
  resource?: string
  /** Its row of the permission matrix. */
  access: AccessRule
  /**
   * The kind of the parent. A resource inside a project, or deeper, is selected by its id alone or
   * by its name and its parents; a resource inside a silo or of a user is one of the caller's own.
   * With `selectors`, a resource inside a silo is selected in any silo.
   */
  parent?: string
  /** Messages about conflicting selectors (control plane 1.5). */
  selectors?: { both: string; neither: string }
  /**
   * Reads that a change of this kind makes stale besides its own list, view and deletion preview. A
   * list includes its search.
   */
  reads?: readonly string[]
  /**
   * It has a list in `/x/v1`, so its resources can be found and starred, and views of its list
   * saved.
   */
  listed?: true
  /**
   * Its history is visible to readers of the silo's audit log. Without this, the history of a kind
   * with a list in `/x/v1` is visible to all who may read the resource, and other kinds have no
   * history.
   */
  history?: true
  /** Bulk actions of jobs. Kinds with a list are also tagged in bulk, unless they are restored. */
  bulk?: readonly JobAction[]
  /** Relation of its deletion to other resources. Kinds without it are never part of a plan. */
  deletion?: DeletionRule
}

/** A kind with all its names. */
export type NamedKind = Kind & Required<Pick<Kind, 'type' | 'words' | 'resource'>>
