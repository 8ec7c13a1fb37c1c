import { anything, dateTime, record, resultsPage, uuid } from '../../schema.ts'

/** A root role of TUF, as it was given. What is wrong with one, the control plane says. */
export const RootRole = anything

export const UpdatesTrustRoot = record('UpdatesTrustRoot', {
  id: uuid,
  root_role: RootRole,
  time_created: dateTime,
})
export const UpdatesTrustRootResultsPage = resultsPage('UpdatesTrustRoot', UpdatesTrustRoot)
