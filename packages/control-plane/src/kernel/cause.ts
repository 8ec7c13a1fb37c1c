import type { AuthMethod } from '@steading/api/rules'

/** The call, or the item of a job, that a change comes from; versions of settings have it. */
export interface Cause {
  operationId: string
  /** As in the audit log. */
  requestId: string | null
  authMethod: AuthMethod | null
  /** The job whose item it is. */
  jobId?: string
  /** The reason that the caller has given. */
  reason?: string | null
  /** The version that the change restores. */
  restoredVersion?: number
}
