import type { Wire } from '@steading/api'
import { jobItemStates } from '@steading/api/rules'
import type { Selectable } from 'kysely'
import type { Db } from '../../../kernel/db/database.ts'
import { INSIDE } from '../../../kernel/kinds.ts'
import { pick } from '../../../kernel/pick.ts'
import { countRowsBy } from '../../../kernel/db/rows.ts'
import type { JobItemTable, JobTable } from './table.ts'
import { jobCounts, jobTags } from './table.ts'

export type JobRow = Selectable<JobTable>
export type JobItemRow = Selectable<JobItemTable>

/** The change of tags that a job makes. */
export const tagsOfJob = ({ tags }: Pick<JobRow, 'tags'>): Wire.TagsChange | null =>
  tags === null ? null : jobTags.read(tags)

/** Counts the items of a job by state, from an index. */
export async function countItems(db: Db, jobId: string): Promise<Wire.JobCounts> {
  const counted = await countRowsBy(db.selectFrom('job_item').where('job_id', '=', jobId), 'state')
  return Object.fromEntries(
    jobItemStates.map((state) => [state, counted.get(state) ?? 0]),
  ) as unknown as Wire.JobCounts
}

export const countsOf = async (db: Db, { id, counts }: JobRow): Promise<Wire.JobCounts> =>
  counts === null ? countItems(db, id) : jobCounts.read(counts)

/** The names of containers, as stored. */
export const namesOf = (inside: string): string[] => (inside === '' ? [] : inside.split(INSIDE))

export const toWireJob = async (db: Db, row: JobRow): Promise<Wire.Job> => ({
  ...pick(row, 'id', 'action', 'kind', 'targets', 'name'),
  inside: namesOf(row.inside),
  project_id: row.project_id,
  project_name: row.project_name,
  tags: tagsOfJob(row),
  state: row.state,
  destroys: row.destroys,
  counts: await countsOf(db, row),
  time_created: row.time_created,
  time_started: row.time_started,
  time_finished: row.time_finished,
})

export const toWireItem = (row: JobItemRow): Wire.JobItem => ({
  position: row.position,
  stage: row.stage,
  step: row.step,
  thing: {
    kind: row.thing_kind,
    id: row.thing_id,
    name: row.thing_name,
    inside: namesOf(row.thing_inside),
  },
  ...pick(row, 'makes', 'state', 'reason', 'time_started', 'time_finished'),
})
