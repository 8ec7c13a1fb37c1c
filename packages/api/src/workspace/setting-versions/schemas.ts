import { AuthMethod } from '../../observability/audit-log/schemas.ts'
import {
  anything,
  boolean,
  dateTime,
  list,
  named,
  oneOf,
  record,
  string,
  text,
  uint,
  uuid,
} from '../../schema.ts'
import { CHANGE_REASON_MAX, changeReasonProblem, missingKinds, settingNames } from './rules.ts'

export const SettingName = named('SettingName', oneOf(...settingNames))

const Reason = text(CHANGE_REASON_MAX, {}, changeReasonProblem)

/** A version of a setting, without its contents. */
const SettingVersion = record('SettingVersion', {
  /** From one, in the order of the changes. */
  version: uint,
  /** By the clock of the server. */
  time_created: dateTime,
  /** Null for operators of another silo, and for contents that no recorded change has made. */
  author: record('SettingVersionAuthor', { id: uuid, name: string }).nullable(),
  /** The credential of the change. */
  auth_method: AuthMethod.nullable(),
  /**
   * The operation of the change. Null for contents that were found before a change: those before
   * the first recorded change, or after one that is not recorded, such as the end of a user.
   */
  operation_id: string.nullable(),
  /** The request of the change, as in the audit log. */
  request_id: string.nullable(),
  /** The job that made the change; its changes are one version as long as no other is made. */
  job_id: uuid.nullable(),
  /** The version that was restored. */
  restored_version: uint.nullable(),
  reason: string.nullable(),
  /** Whether the caller may change the reason. */
  reason_modifiable: boolean,
  /** Number of rules, routes, members or fields that the change has added. */
  added: uint,
  changed: uint,
  removed: uint,
})
export { SettingVersion }

export const SettingVersions = record('SettingVersions', {
  /** The newest first. */
  items: list(SettingVersion),
  /** Whether the caller may restore versions. */
  modifiable: boolean,
})

const MissingResource = record('MissingResource', {
  kind: oneOf(...missingKinds),
  /** Its name, or its id if the setting refers to it by id. */
  name: string,
})

/** A rule, a route, a member or a field. */
const SettingVersionItem = record('SettingVersionItem', {
  /** The name of a rule, a route or a field; the id of a member. */
  key: string,
  /** The name of a member, if the caller may see it. */
  name: string.nullable(),
  /** The same properties as in the setting. */
  value: anything,
  /** Resources that it refers to and that no longer exist. */
  missing: list(MissingResource),
})

export const SettingVersionContents = record('SettingVersionContents', {
  /** Null for the present contents. */
  version: SettingVersion.nullable(),
  /** By key. */
  items: list(SettingVersionItem),
})

export const SettingVersionRestore = record('SettingVersionRestore', {
  /** The newest version that the caller has seen; if there is a newer one, nothing is restored. */
  latest: uint,
  /** Leaves out rules, routes and members that refer to resources which no longer exist. */
  without_missing: boolean.optional(),
  reason: Reason.nullable().optional(),
})

export const SettingVersionReasonUpdate = record('SettingVersionReasonUpdate', {
  /** Null or empty removes it. */
  reason: Reason.nullable(),
})
