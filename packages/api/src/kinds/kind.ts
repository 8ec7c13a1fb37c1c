import type { DeletionRule } from '../workspace/deletion/rules.ts'
import type { JobAction } from '../workspace/jobs/rules.ts'
import type { AccessRule } from '../rules/roles.ts'

/**
 * What is declared once about a kind of thing, in `kind.ts` of its folder. Authorization, lookups,
 * lists, events, jobs, deletion and the console's live updates derive from it; `kinds/index.ts`
 * collects the declarations. The control plane adds where the rows are (`resources/…/kind.ts` there).
 */
export interface Kind {
  /** What errors call a thing of this kind: `not found: disk with id "…"`. */
  type: string
  /** What errors call one that was looked up by name, where that differs. */
  namedType?: string
  /** What sentences call it: "Affinity group". Lower case but for abbreviations. */
  words: string
  /** Its name in events and folders, and mostly in paths: plural, with dashes. */
  resource: string
  /** Its row of the permission matrix. */
  access: AccessRule
  /**
   * The kind it is inside of. A thing inside a project, or deeper, is named by its id alone or by its
   * name and its parents; a thing inside a silo or of a user is one of the caller's own.
   */
  parent?: string
  /** Messages about selectors that do not go together (control plane 1.5). */
  selectors?: { both: string; neither: string }
  /**
   * Operations whose answers are out of date once a thing of this kind has changed. A list stands for
   * its search, too.
   */
  reads: readonly string[]
  /**
   * It has a list in `/x/v1`, so its things can be found and starred, and views of its list saved.
   */
  listed?: true
  /**
   * Its history is for those who may see the audit log of its silo. Without this, kinds with a list
   * in `/x/v1` have a history for all who may read the thing, and other kinds have none.
   */
  history?: true
  /** What a job can do with many of them at once. */
  bulk?: readonly JobAction[]
  /** What its deletion has to do with other things; kinds without it are never part of a plan. */
  deletion?: DeletionRule
}
