/**
 * Fills templates of instances with the values of their variables. The control plane creates
 * instances from the result, and the console shows it while the values are typed.
 */
import { stringToBase64 } from 'uint8array-extras'
import { GiB } from '../../rules/bytes.ts'
import { isUuid, nameProblem } from '../../rules/names.ts'
import {
  isVariableName,
  NAME_VARIABLE,
  TEMPLATE_CHOICES_MAX,
  TEMPLATE_DEPTH_MAX,
  TEMPLATE_FILLED_MAX,
  TEMPLATE_INSTANCE_MAX,
  TEMPLATE_LABEL_MAX,
  TEMPLATE_VALUE_MAX,
  TEMPLATE_VARIABLES_MAX,
  templateMessages as says,
  type TemplateVariableType,
  TEXT_KEY,
  VARIABLE_KEY,
} from './rules.ts'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type TemplateValue = string | number | boolean
export type TemplateValues = ReadonlyMap<string, TemplateValue>

/** A variable, with the names of fields that are the same in the API and in its client. */
export interface TemplateVariable {
  name: string
  label: string
  description: string
  type: TemplateVariableType
  required: boolean
  /** Null: none. */
  default: TemplateValue | null
  choices: TemplateValue[]
  /** Bounds of a number or a size, or of the characters of a text. */
  min: number | null
  max: number | null
}

/** A required variable without a default, choices and bounds, apart from the given values. */
export const newVariable = (
  values: Pick<TemplateVariable, 'name' | 'label' | 'type'> & Partial<TemplateVariable>,
): TemplateVariable => ({
  description: '',
  required: true,
  default: null,
  choices: [],
  min: null,
  max: null,
  ...values,
})

/** The problem of a template or of a value, as the control plane refuses it. */
export class TemplateProblem extends Error {}

const refuse = (message: string): never => {
  throw new TemplateProblem(message)
}

type Values = Record<string, unknown>
const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `$${`, or the name of a variable in `${}`. */
const inText = /\$\$\{|\$\{([^}]*)\}/g

/** A text in which nothing is a variable. */
export const escaped = (text: string): string => text.replaceAll('${', () => '$${')

/** A copy of the instance of a template that uses another name of a variable. */
export function withRenamedVariable(value: unknown, from: string, to: string): unknown {
  if (typeof value === 'string') {
    return value.replaceAll(inText, (found, name) => (name === from ? `\${${to}}` : found))
  }
  if (Array.isArray(value)) return value.map((one) => withRenamedVariable(one, from, to))
  if (!isObject(value)) return value
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    key === VARIABLE_KEY && inner === from ? to : withRenamedVariable(inner, from, to),
  ])
  return Object.fromEntries(entries)
}

/** The part of a value's problem that depends on the type alone. */
function typeProblem({ type, choices }: TemplateVariable, value: unknown): string | undefined {
  const { value: is } = says
  switch (type) {
    case 'text':
    case 'choice':
      if (typeof value !== 'string') return is.text
      break
    case 'number':
    case 'size':
      if (!Number.isSafeInteger(value)) return is[type]
      if (type === 'size' && (value as number) < 0) return is.size
      break
    case 'boolean':
      return typeof value === 'boolean' ? undefined : is.boolean
    default:
      return typeof value === 'string' && (isUuid(value) || nameProblem(value) === undefined)
        ? undefined
        : is.name
  }
  if (typeof value === 'string' && value.length > TEMPLATE_VALUE_MAX) {
    return is.long(TEMPLATE_VALUE_MAX)
  }
  return choices.length > 0 && !choices.includes(value as TemplateValue) ? is.choice : undefined
}

/** The problem of a value, to be read after the name of its variable; undefined if it fits. */
export function templateValueProblem(
  variable: TemplateVariable,
  value: unknown,
): string | undefined {
  const problem = typeProblem(variable, value)
  if (problem) return problem
  const { value: is } = says
  const { min, max } = variable
  if (typeof value === 'string' && variable.type === 'text') {
    if (min !== null && value.length < min) return is.short(min)
    if (max !== null && value.length > max) return is.long(max)
  }
  if (typeof value === 'number') {
    if (min !== null && value < min) return is.less(min)
    if (max !== null && value > max) return is.more(max)
  }
  return undefined
}

const types = {
  choices: ['choice', 'number', 'size'],
  bounds: ['text', 'number', 'size'],
} as const satisfies Record<string, readonly TemplateVariableType[]>
const isAmong = (some: readonly TemplateVariableType[], type: TemplateVariableType) =>
  some.includes(type)

/** The problem of the declaration of a variable; undefined if there is none. */
export function templateVariableProblem(variable: TemplateVariable): string | undefined {
  const { name, label, type, choices, min, max } = variable
  if (name === NAME_VARIABLE) return says.reservedName
  if (!isVariableName(name)) return says.variableName
  const of = (problem: string) => says.declared(name, problem)
  if (label.trim() === '' || label.length > TEMPLATE_LABEL_MAX) return of(says.label)
  if (choices.length > TEMPLATE_CHOICES_MAX) return of(says.tooManyChoices)
  if (type === 'choice' && choices.length === 0) return of(says.choicesNone)
  if (choices.length > 0 && !isAmong(types.choices, type)) return of(says.choicesOther)
  if ((min !== null || max !== null) && !isAmong(types.bounds, type)) return of(says.boundsOther)
  if (min !== null && max !== null && min > max) return of(says.boundsWrong)
  const unbound = { ...variable, choices: [], min: null, max: null }
  if (choices.some((choice) => typeProblem(unbound, choice) !== undefined)) {
    return of(says.choiceType)
  }
  const preset = variable.default
  const problem = preset === null ? undefined : templateValueProblem(variable, preset)
  return problem && says.ofVariable(name, problem)
}

/** The values of the variables during a walk through the stored instance. */
interface Walk {
  value: (name: string) => TemplateValue | undefined
  /** Characters of texts so far. */
  length: number
}

function textOf(walk: Walk, text: string): string {
  const filled = text.replaceAll(inText, (all, name: string | undefined) =>
    name === undefined ? all.slice(1) : String(walk.value(name) ?? ''),
  )
  walk.length += filled.length
  if (walk.length > TEMPLATE_FILLED_MAX) refuse(says.filledTooLong)
  return filled
}

const onlyText = (object: Values, key: string): string => {
  const value = object[key]
  return typeof value === 'string' && Object.keys(object).length === 1
    ? value
    : refuse(says.notAlone(key))
}

/** @returns undefined for a variable without a value, whose property or element is left away */
function filledValue(walk: Walk, value: unknown, depth: number): unknown {
  if (typeof value === 'string') return textOf(walk, value)
  if (typeof value !== 'object' || value === null) return value
  if (depth > TEMPLATE_DEPTH_MAX) refuse(says.tooDeep)
  if (Array.isArray(value)) {
    return value
      .map((item) => filledValue(walk, item, depth + 1))
      .filter((item) => item !== undefined)
  }
  const object = value as Values
  if (Object.hasOwn(object, VARIABLE_KEY)) return walk.value(onlyText(object, VARIABLE_KEY))
  return filledObject(walk, object, depth)
}

function filledObject(walk: Walk, object: Values, depth: number): Values {
  const entries: [string, unknown][] = []
  for (const [key, value] of Object.entries(object)) {
    if (key === TEXT_KEY) refuse(says.textElsewhere)
    if (key.startsWith('$')) refuse(says.unknownKey(key))
    const filled = filledValue(walk, value, depth + 1)
    if (filled !== undefined) entries.push([key, filled])
  }
  return Object.fromEntries(entries)
}

/** User data: Base64 as it is, or plain text with variables, which is encoded. */
function filledUserData(walk: Walk, value: unknown): unknown {
  if (typeof value === 'string') {
    walk.length += value.length
    return value
  }
  if (!isObject(value) || !Object.hasOwn(value, TEXT_KEY)) return refuse(says.userDataEncoded)
  return stringToBase64(textOf(walk, onlyText(value, TEXT_KEY)))
}

/** @throws TemplateProblem */
function fill(walk: Walk, { user_data, ...instance }: Values): Values {
  if (Object.hasOwn(instance, 'name')) refuse(says.named)
  const filled = filledObject(walk, instance, 0)
  const name = walk.value(NAME_VARIABLE)
  return {
    name,
    description: '',
    hostname: name,
    ...filled,
    ...(user_data === undefined ? {} : { user_data: filledUserData(walk, user_data) }),
  }
}

/**
 * The body that creates an instance, with the values of the variables.
 * @param values of the variables, with the defaults of those that are not given
 * @throws TemplateProblem
 */
export const fillTemplate = (instance: Values, name: string, values: TemplateValues): Values =>
  fill(
    {
      length: 0,
      value: (variable) => (variable === NAME_VARIABLE ? name : values.get(variable)),
    },
    instance,
  )

/**
 * The values of a use: the given ones, and defaults.
 * @throws TemplateProblem for a missing value, one that does not fit, or one of no variable
 */
export function templateValues(
  variables: readonly TemplateVariable[],
  given: Readonly<Values>,
): Map<string, TemplateValue> {
  const values = new Map<string, TemplateValue>()
  for (const variable of variables) {
    const { name, required } = variable
    const own = Object.hasOwn(given, name) ? given[name] : null
    const value = own ?? variable.default
    if (value === null || value === undefined) {
      if (required) refuse(says.missing(name))
      continue
    }
    const problem = templateValueProblem(variable, value)
    if (problem) refuse(says.ofVariable(name, problem))
    values.set(name, value as TemplateValue)
  }
  const names = new Set(variables.map(({ name }) => name))
  const other = Object.keys(given).find((name) => !names.has(name))
  if (other !== undefined) refuse(says.undeclared(other))
  return values
}

/** Names of the variables in the stored instance, without that of the instance itself. */
export function variablesIn(instance: Readonly<Values>): Set<string> {
  const used = new Set<string>()
  const value = (name: string) => {
    if (name !== NAME_VARIABLE) used.add(name)
    return ''
  }
  fill({ length: 0, value }, instance)
  return used
}

/** The problem of a template apart from the rules of instances; undefined if there is none. */
export function templateProblem(
  instance: Readonly<Values>,
  variables: readonly TemplateVariable[],
): string | undefined {
  if (variables.length > TEMPLATE_VARIABLES_MAX) return says.tooManyVariables
  const names = new Set<string>()
  for (const variable of variables) {
    const problem = templateVariableProblem(variable)
    if (problem) return problem
    if (names.has(variable.name)) return says.twice(variable.name)
    names.add(variable.name)
  }
  try {
    const used = variablesIn(instance)
    if (JSON.stringify(instance).length > TEMPLATE_INSTANCE_MAX) return says.tooLong
    const unknown = [...used].find((name) => !names.has(name))
    if (unknown !== undefined) return says.unknown(unknown)
    const unused = [...names].find((name) => !used.has(name))
    return unused === undefined ? undefined : says.unused(unused)
  } catch (error) {
    if (error instanceof TemplateProblem) return error.message
    throw error
  }
}

/** Values of variables without a default, for a look at the instance that they make. */
const samples: Record<TemplateVariableType, TemplateValue> = {
  text: 'sample',
  number: 1,
  size: GiB,
  choice: '',
  boolean: true,
  image: '00000000-0000-4000-8000-000000000000',
  ssh_key: 'sample',
  vpc: 'sample',
  subnet: 'sample',
}

const within = ({ type, min, max }: TemplateVariable): TemplateValue => {
  const sample = samples[type]
  if (typeof sample === 'string') {
    return sample.padEnd(Math.min(min ?? 0, TEMPLATE_VALUE_MAX), 'x').slice(0, max ?? undefined)
  }
  if (typeof sample !== 'number') return sample
  return Math.max(Math.min(sample, max ?? sample), min ?? sample)
}

/** Values of a variable that a template is checked with; undefined: no value. */
function alternatives(variable: TemplateVariable): (TemplateValue | undefined)[] {
  const { type, choices, min, max } = variable
  const preset = variable.default
  const all: (TemplateValue | undefined)[] = preset === null ? [] : [preset]
  all.push(...choices)
  if (type === 'number' || type === 'size') {
    const unlisted = choices.length === 0
    if (unlisted) all.push(...[min, max].filter((bound) => bound !== null))
  }
  // The name of an image is replaced by its ID.
  if (type === 'image') return [samples.image, ...(variable.required || preset ? [] : [undefined])]
  if (all.length === 0) all.push(within(variable))
  if (!variable.required && preset === null) all.push(undefined)
  return all
}

/**
 * Instances that a template makes with sample values: with each default, choice and bound once,
 * and without each value that may be missing.
 * @throws TemplateProblem
 */
export function* sampleInstances(
  instance: Readonly<Values>,
  variables: readonly TemplateVariable[],
): Generator<Values> {
  const all = variables.map((variable) => ({ variable, values: alternatives(variable) }))
  const rounds = Math.max(1, ...all.map(({ values }) => values.length))
  for (let round = 0; round < rounds; round++) {
    const values = new Map<string, TemplateValue>()
    for (const { variable, values: some } of all) {
      const value = some[round % some.length]
      if (value !== undefined) values.set(variable.name, value)
    }
    yield fillTemplate(instance, 'sample', values)
  }
}
