import { boolean, dateTime, Name, record, resultsPage, string, uuid } from '../schema.ts'

const userFields = {
  id: uuid,
  display_name: string,
  silo_id: uuid,
  time_created: dateTime,
  time_modified: dateTime,
}

export const User = record('User', userFields)
export const UserResultsPage = resultsPage('User', User)

export const CurrentUser = record('CurrentUser', {
  ...userFields,
  silo_name: Name,
  fleet_viewer: boolean,
  silo_admin: boolean,
})
