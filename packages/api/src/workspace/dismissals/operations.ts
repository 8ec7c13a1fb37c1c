import { dateTime, record, uuid } from '../../schema.ts'
import { usual } from '../../kinds/usual.ts'

const DismissalCreate = record('DismissalCreate', {
  /** Id of a project, of the caller's silo, or of the fleet. */
  place: uuid,
})
const Dismissal = record('Dismissal', { place: uuid, time_created: dateTime })

/** Only the user who dismissed the first steps no longer sees them, on every device. */
export const dismissalOperations = usual('dismissal', {
  path: '/x/v1/dismissals/{place}',
  params: { place: uuid },
  permission: 'session',
})({
  dismissal_create: {
    summary: 'Dismiss the first steps in a place; no effect if they are dismissed already',
    body: DismissalCreate,
    answer: Dismissal,
  },
  dismissal_delete: { summary: 'Show the dismissed first steps in a place again' },
})
