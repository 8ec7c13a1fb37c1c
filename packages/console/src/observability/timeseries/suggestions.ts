/** Suggestions at a position in a query, for the editor. */
import { type Completion, completionAt, type Expectation } from '@steading/oxql/syntax'
import { type Schema, schemaOf } from './schemas.ts'

export type Suggestion = {
  /** Replaces the typed text. */
  text: string
  label: string
  /** Description in a few words. */
  detail?: string
}

/** Field values to look up. */
export type WantedValues = { names: readonly string[]; field: string }

export type Suggestions = {
  /** Range of the text that a suggestion replaces. */
  start: number
  end: number
  typed: string
  options: readonly Suggestion[]
  values?: WantedValues
}

const operations: Readonly<Record<string, { text: string; detail: string }>> = {
  get: { text: 'get ', detail: 'read a timeseries' },
  filter: { text: 'filter ', detail: 'keep data that meets a condition' },
  align: { text: 'align mean_within(', detail: 'average over windows of time' },
  group_by: { text: 'group_by [', detail: 'merge timeseries that are equal on fields' },
  join: { text: 'join', detail: 'pair timeseries of several tables' },
  first: { text: 'first ', detail: 'keep the oldest points' },
  last: { text: 'last ', detail: 'keep the newest points' },
}
const functions: Readonly<Record<string, { text: string; detail: string }>> = {
  mean_within: { text: 'mean_within(', detail: 'average of each window' },
  interpolate: { text: 'interpolate(', detail: 'not yet available' },
  mean: { text: 'mean', detail: 'average at each time' },
  sum: { text: 'sum', detail: 'total at each time' },
}
const symbols: Readonly<Record<string, string>> = {
  '|': 'next operation',
  '&&': 'and',
  '||': 'or',
  '{': 'a group of queries',
}
const comparisons: Readonly<Record<string, string>> = {
  '==': 'equal',
  '!=': 'not equal',
  '~=': 'matches a regular expression',
}
const durations = ['30s', '1m', '5m', '10m', '1h', '1d']
const pointFields: readonly Suggestion[] = [
  { text: 'timestamp ', label: 'timestamp', detail: 'time of a point' },
  { text: 'datum ', label: 'datum', detail: 'value of a point' },
  { text: 'start_time ', label: 'start_time', detail: 'begin of a difference' },
]
const moments: readonly Suggestion[] = [
  { text: '@now() - 1h', label: '@now() - 1h', detail: 'an hour ago' },
  { text: '@now() - 1d', label: '@now() - 1d', detail: 'a day ago' },
  { text: '@now()', label: '@now()', detail: 'now' },
]
const booleans: readonly Suggestion[] = ['true', 'false'].map((text) => ({ text, label: text }))

const plain = (texts: readonly string[], detail?: string): Suggestion[] =>
  texts.map((text) => ({ text, label: text, detail }))

type CompletionContext = Pick<Completion, 'expected' | 'inputs'>

/** Fields common to all of the time series. */
export function sharedFields(schemas: readonly Schema[], names: readonly string[]) {
  const [first, ...others] = names.flatMap((name) => schemaOf(schemas, name) ?? [])
  return (first?.fieldSchema ?? []).filter(({ name }) =>
    others.every(({ fieldSchema }) => fieldSchema.some((field) => field.name === name)),
  )
}

function fieldsAt(
  { expected, inputs }: CompletionContext,
  schemas: readonly Schema[],
): Suggestion[] {
  const inFilter = expected.some((one) => one.kind === 'symbol' && one.text === '!')
  const fields = sharedFields(schemas, inputs.names)
    .filter(({ name }) => inputs.fields?.includes(name) ?? true)
    .map(({ name, description }) => ({
      text: inFilter ? `${name} ` : name,
      label: name,
      detail: description,
    }))
  return inFilter ? [...fields, ...pointFields] : fields
}

function optionsFor(
  one: Expectation,
  context: CompletionContext,
  schemas: readonly Schema[],
): Suggestion[] {
  switch (one.kind) {
    case 'operation':
    case 'function': {
      const known = (one.kind === 'operation' ? operations : functions)[one.text]
      return [{ label: one.text, text: known?.text ?? one.text, detail: known?.detail }]
    }
    case 'symbol': {
      const detail = symbols[one.text]
      return detail ? [{ label: one.text, text: `${one.text} `, detail }] : []
    }
    case 'comparison':
      return [{ label: one.text, text: `${one.text} `, detail: comparisons[one.text] }]
    case 'timeseries':
      return schemas.map(({ timeseriesName, description }) => ({
        text: timeseriesName,
        label: timeseriesName,
        detail: description.metric,
      }))
    case 'field':
      return fieldsAt(context, schemas)
    case 'duration':
      return plain(durations)
    case 'count':
      return plain(['1', '5', '10'])
    case 'value':
      return valuesOf(one.identifier, context, schemas)
    default:
      return []
  }
}

function valuesOf(
  identifier: string,
  { inputs }: CompletionContext,
  schemas: readonly Schema[],
): Suggestion[] {
  if (identifier === 'timestamp' || identifier === 'start_time') return [...moments]
  const field = sharedFields(schemas, inputs.names).find(({ name }) => name === identifier)
  return field?.fieldType === 'bool' ? [...booleans] : []
}

/** Options that contain the typed text; options that begin with it come first. */
export function matching(options: readonly Suggestion[], typed: string): Suggestion[] {
  const sought = typed.toLowerCase().replace(/^["']/, '')
  const found = options.filter(({ label, text }) =>
    `${label}\n${text}`.toLowerCase().includes(sought),
  )
  const [first, second] = [true, false].map((begins) =>
    found.filter(({ label }) => label.toLowerCase().startsWith(sought) === begins),
  )
  return [...first!, ...second!]
}

/** An unterminated quote extends to the cursor; the text behind it is kept. */
const isOpen = (text: string) => /^["']/.test(text) && (text.length < 2 || !text.endsWith(text[0]!))

/** @param schemas the queryable metrics */
export function suggestionsAt(
  text: string,
  offset: number,
  schemas: readonly Schema[],
): Suggestions {
  const context = completionAt(text, offset)
  const { start, typed, expected, inputs } = context
  const end = isOpen(text.slice(start, context.end)) ? offset : context.end
  const value = expected.find((one) => one.kind === 'value')
  const field =
    value && sharedFields(schemas, inputs.names).find(({ name }) => name === value.identifier)
  return {
    start,
    end,
    typed,
    options: matching(
      expected.flatMap((one) => optionsFor(one, context, schemas)),
      typed,
    ),
    ...(field &&
      field.fieldType !== 'bool' && { values: { names: inputs.names, field: field.name } }),
  }
}
