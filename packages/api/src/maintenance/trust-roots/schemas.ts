import { LIST_MAX } from '../../rules/limits.ts'
import { anyJson, dateTime, record, uuid } from '../../schema.ts'

/** A TUF root role, unmodified. The control plane validates it. */
export const RootRole = anyJson(16 * LIST_MAX)

export const UpdatesTrustRoot = record('UpdatesTrustRoot', {
  id: uuid,
  root_role: RootRole,
  time_created: dateTime,
})
