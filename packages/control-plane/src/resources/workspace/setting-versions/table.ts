import type { AuthMethod, SettingName } from '@steading/api/rules'
import { jsonColumn } from '../../../kernel/db/json-column.ts'

/** The version of a setting of a resource. */
interface OfSetting {
  setting: SettingName
  /** The resource that the setting belongs to; versions stay until its row is removed. */
  thing_id: string
}

export interface SettingVersionTable extends OfSetting {
  /** From one, in the order of the changes. */
  version: number
  time_created: string
  /** The author, with their name at the time; null for contents found before a change. */
  author_id: string | null
  author_name: string | null
  author_silo_id: string | null
  auth_method: AuthMethod | null
  operation_id: string | null
  request_id: string | null
  job_id: string | null
  restored_version: number | null
  reason: string | null
  added: number
  changed: number
  removed: number
  /** Bytes of the parts that the version has added or changed. */
  size: number
}

/** A part of the contents of some versions in a row: a rule, a route, a member or a field. */
export interface SettingVersionItemTable extends OfSetting {
  item_key: string
  /** The first version with it. */
  first_version: number
  /** The last version with it; null while it is in the newest one. */
  last_version: number | null
  /** JSON. */
  value: string
}

export const itemValue = jsonColumn<unknown>()

declare module '../../../kernel/db/schema.ts' {
  interface Database {
    setting_version: SettingVersionTable
    setting_version_item: SettingVersionItemTable
  }
}
