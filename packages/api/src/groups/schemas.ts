import { dateTime, record, resultsPage, string, uuid } from '../schema.ts'

export const Group = record('Group', {
  id: uuid,
  display_name: string,
  silo_id: uuid,
  time_created: dateTime,
  time_modified: dateTime,
})
export const GroupResultsPage = resultsPage('Group', Group)
