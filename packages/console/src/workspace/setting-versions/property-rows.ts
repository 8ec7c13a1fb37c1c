/** The properties of a part of a setting that differ between two versions. */
import {
  canonicalJson,
  firewallSentence,
  type SettingDifference,
  type SettingName,
  type SpokenRule,
} from '@steading/api/rules'
import { propertyLabels, settingOf, valueLabels } from './labels.ts'

export type PropertyRow = {
  /** Undefined where the value speaks for itself. */
  label: string | undefined
  property: string
  before: unknown
  after: unknown
}

type Fields = Record<string, unknown>

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Properties that are told together by a sentence. */
type Spoken = { properties: readonly string[]; sentence: (part: Fields) => string }

const spoken: Partial<Record<SettingName, Spoken>> = {
  firewall_rules: {
    properties: ['action', 'direction', 'status', 'targets', 'filters'],
    sentence: (rule) => firewallSentence(rule as unknown as SpokenRule, 'whole'),
  },
}

/** The sentences of a part before and after; undefined if they do not tell what differs. */
function sentenceRow(told: Spoken | undefined, before: Fields, after: Fields) {
  if (!told) return undefined
  const sentenceOf = (part: Fields) =>
    told.properties.every((property) => part[property] !== undefined)
      ? told.sentence(part)
      : undefined
  const row = {
    label: undefined,
    property: 'sentence',
    before: sentenceOf(before),
    after: sentenceOf(after),
  }
  return row.before === row.after ? undefined : row
}

/** The properties of a part that differ; a field that is no record is one property. */
export function rowsOf(
  setting: SettingName,
  { key, change, before, after }: SettingDifference,
): PropertyRow[] {
  const isItem = settingOf(setting).items !== undefined
  if (!isItem) return [{ label: undefined, property: key, before, after }]
  const [old, now] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}]
  const sentence = sentenceRow(spoken[setting], old, now)
  const told = sentence ? spoken[setting]!.properties : []
  const rows = [...new Set([...Object.keys(old), ...Object.keys(now)])]
    .filter((property) => !told.includes(property))
    .filter((property) =>
      change === 'changed'
        ? canonicalJson(old[property]) !== canonicalJson(now[property])
        : valueLabels((change === 'added' ? now : old)[property]) !== 'none',
    )
    .map((property) => ({
      label: propertyLabels(property),
      property,
      before: old[property],
      after: now[property],
    }))
  return sentence ? [sentence, ...rows] : rows
}
