import { deletionRelations } from './rules.ts'
import { JobStep } from '../jobs/job-step.ts'
import { array, boolean, named, oneOf, record, string, uint64, uuid } from '../../schema.ts'

/** Things of one kind that have to do with a deletion in one way. */
export const DeletionGroup = record('DeletionGroup', {
  relation: named('DeletionRelation', oneOf(...deletionRelations)),
  kind: string,
  total: uint64,
  /** The first ten, by name. */
  first: array(record('DeletionThing', { id: uuid, name: string, detail: string.nullable() })),
  /** Why they are in the way, or what becomes of them. */
  reason: string,
  /** What a job would do first to make their deletion possible, in this order. */
  steps: array(JobStep),
  /** Whether a job can be asked to deal with them: by `chain` if they block, else by `with`. */
  can_go: boolean,
})

/** What deleting something means for everything else. */
export const Deletion = record('Deletion', { groups: array(DeletionGroup) })
