import { scheduleActions, scheduleRunStates, scheduleStates } from '@steading/api/rules'
import { apiQuery } from '../../data/api.ts'
import type { ListDefinition } from '../../data/lists.ts'

export const scheduleListDefinition: ListDefinition<'scheduleSearch'> = {
  kind: 'schedule',
  id: 'schedules',
  operation: 'scheduleSearch',
  filters: { action: scheduleActions, state: scheduleStates, last_result: scheduleRunStates },
}

/** The arguments that select a schedule. */
export const scheduleArgs = (project: string, schedule: string) => ({
  path: { schedule },
  query: { project },
})

export const scheduleQuery = (project: string, schedule: string) =>
  apiQuery('scheduleView', scheduleArgs(project, schedule))

export const targetsQuery = (project: string, schedule: string) =>
  apiQuery('scheduleTargetList', scheduleArgs(project, schedule))
