import { anything, dateTime, record, resultsPage, uuid } from '../../schema.ts'

/** A TUF root role, unmodified. The control plane validates it. */
export const RootRole = anything

export const UpdatesTrustRoot = record('UpdatesTrustRoot', {
  id: uuid,
  root_role: RootRole,
  time_created: dateTime,
})
export const UpdatesTrustRootResultsPage = resultsPage('UpdatesTrustRoot', UpdatesTrustRoot)
