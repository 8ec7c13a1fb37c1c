import { apiQuery } from './api.ts'

/** Whether the user has a password, and whether the control plane has made it up. */
export const ownPasswordQuery = apiQuery('currentUserPasswordView', {})
