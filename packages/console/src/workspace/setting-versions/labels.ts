/** Words about versions of settings. */
import type { SettingVersion } from '@steading/api/client'
import { type SettingName, type VersionedSetting, versionedSettings } from '@steading/api/rules'
import { formatNumber, formatSize } from '../../ui/number.ts'

export const settingOf = (setting: SettingName): VersionedSetting => versionedSettings[setting]

const [FIELD, FIELDS] = ['field', 'fields'] as const

export const itemNoun = (setting: SettingName, count: number): string => {
  const [one, several] = settingOf(setting).items ?? [FIELD, FIELDS]
  return count === 1 ? one : several
}

/** The difference in short: "2 rules added, 1 changed". */
export function summaryOf(
  setting: SettingName,
  { added, changed, removed }: Pick<SettingVersion, 'added' | 'changed' | 'removed'>,
): string {
  const counts = [
    [added, 'added'],
    [changed, 'changed'],
    [removed, 'removed'],
  ] as const
  return counts
    .filter(([count]) => count > 0)
    .map(([count, verb], index) =>
      index === 0
        ? `${formatNumber(count)} ${itemNoun(setting, count)} ${verb}`
        : `${formatNumber(count)} ${verb}`,
    )
    .join(', ')
}

/** A version in one line. */
export function titleOf(setting: SettingName, version: SettingVersion): string {
  const summary = summaryOf(setting, version)
  if (version.restoredVersion !== null) {
    return `Version ${version.restoredVersion} restored: ${summary}`
  }
  if (version.operationId !== null) return summary
  return summary ? `Found before a change: ${summary}` : 'Before the first recorded change'
}

export function authorOf(version: SettingVersion): string {
  if (version.operationId === null) return 'No recorded author'
  return version.author?.name || 'Somebody'
}

/** A property in words: "icmpType" is "icmp type". */
export const propertyLabels = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll('_', ' ')

const BYTES = new Set(['memory', 'storage'])

type Typed = { type?: unknown; value?: unknown }

/** A value of a setting in words. */
export function valueLabels(value: unknown, property = ''): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  if (typeof value === 'number') {
    return BYTES.has(property) ? formatSize(value) : String(value)
  }
  if (Array.isArray(value)) {
    return value.length === 0 ? 'none' : value.map((one) => valueLabels(one)).join(', ')
  }
  if (typeof value !== 'object') return String(value)
  const { type, value: inner, ...rest } = value as Typed
  const typed =
    type === undefined
      ? []
      : [
          [propertyLabels(String(type)), inner === undefined ? '' : valueLabels(inner)]
            .join(' ')
            .trim(),
        ]
  const others = Object.entries(rest)
    .filter(([, one]) => one !== null && one !== undefined)
    .map(([name, one]) => `${propertyLabels(name)} ${valueLabels(one, name)}`)
  return [...typed, ...others].join('; ') || 'none'
}
