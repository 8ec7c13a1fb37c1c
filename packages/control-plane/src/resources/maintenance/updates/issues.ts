import { type Finder, issue } from '../../../kernel/issues.ts'
import { updateRow } from './status.ts'

export const updateIssues: Finder = async ({ db }) => {
  const { id, version, problem, time_problem } = await updateRow(db)
  if (version === null || problem === null) return []
  return [issue('update_stuck', id, time_problem, { version, problem })]
}
