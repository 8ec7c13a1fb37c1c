import { deletionRelations } from './rules.ts'
import { JobStep } from '../jobs/job-step.ts'
import { boolean, list, named, oneOf, record, string, uint64, uuid } from '../../schema.ts'

/** Resources of one kind with the same relation to a deletion. */
export const DeletionGroup = record('DeletionGroup', {
  relation: named('DeletionRelation', oneOf(...deletionRelations)),
  kind: string,
  total: uint64,
  /** The first ten, by name. */
  first: list(record('DeletionObstacle', { id: uuid, name: string, detail: string.nullable() })),
  /** Reason that they block the deletion, or the effect on them. */
  reason: string,
  /** Steps of a job that would make their deletion possible, in order. */
  steps: list(JobStep),
  /** Whether a job can delete them: with `chain` if they block, otherwise with `with`. */
  can_go: boolean,
})

/** Effects of a deletion on everything else. */
export const Deletion = record('Deletion', { groups: list(DeletionGroup) })
