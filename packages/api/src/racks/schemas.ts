import { dateTime, record, resultsPage, uuid } from '../schema.ts'

export const Rack = record('Rack', {
  id: uuid,
  time_created: dateTime,
  time_modified: dateTime,
})
export const RackResultsPage = resultsPage('Rack', Rack)
