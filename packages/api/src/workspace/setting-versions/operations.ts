import { versionedKinds } from '../../kinds/stale-reads.ts'
import type { Operation } from '../../operation.ts'
import { text, uuid } from '../../schema.ts'
import { PRESENT_VERSION } from './rules.ts'
import {
  SettingName,
  SettingVersion,
  SettingVersionContents,
  SettingVersionReasonUpdate,
  SettingVersionRestore,
  SettingVersions,
} from './schemas.ts'

const tags = ['extensions']
const params = { setting: SettingName, thing: uuid }
const path = '/x/v1/setting-versions/{setting}/{thing}'
/** Permitted as the calls of the setting itself, see `versionedSettings`. */
const asSetting = { permission: 'session', evenIfLimited: true } as const

const numbered = (pattern: string) =>
  text(10, { pattern }, (value) =>
    new RegExp(pattern).test(value) ? undefined : 'version is a number',
  )
const version = numbered('^[1-9][0-9]{0,8}$')
const versionOrPresent = numbered(`^([1-9][0-9]{0,8}|${PRESENT_VERSION})$`)

export const settingVersionOperations = {
  setting_version_list: {
    method: 'GET',
    path,
    tags,
    summary: 'List the versions of firewall rules, routes or a setting, the newest first',
    ...asSetting,
    params,
    success: { status: 200, schema: SettingVersions },
  },
  setting_version_view: {
    method: 'GET',
    path: `${path}/{version}`,
    tags,
    summary: 'Show the contents of a version, or the present ones',
    ...asSetting,
    params: { ...params, version: versionOrPresent },
    success: { status: 200, schema: SettingVersionContents },
  },
  setting_version_restore: {
    method: 'POST',
    path: `${path}/{version}/restore`,
    tags,
    summary: 'Replace firewall rules, routes or a setting by a version',
    ...asSetting,
    params: { ...params, version },
    body: SettingVersionRestore,
    success: { status: 200, schema: SettingVersion },
    changes: versionedKinds,
  },
  setting_version_reason_update: {
    method: 'PUT',
    path: `${path}/{version}/reason`,
    tags,
    summary: 'Change the reason of a version',
    ...asSetting,
    params: { ...params, version },
    body: SettingVersionReasonUpdate,
    success: { status: 200, schema: SettingVersion },
    changes: ['setting_version_list', 'setting_version_view'],
  },
} as const satisfies Record<string, Operation>
