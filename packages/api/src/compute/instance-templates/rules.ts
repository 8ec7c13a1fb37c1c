/** Templates of instances: types of variables, limits and messages. `fill.ts` fills them in. */

/**
 * Types of variables. `size` is a number of bytes. The last four are names or IDs; that of an image
 * stands for the ID in the request.
 */
export const templateVariableTypes = [
  'text',
  'number',
  'size',
  'choice',
  'boolean',
  'image',
  'ssh_key',
  'vpc',
  'subnet',
] as const
export type TemplateVariableType = (typeof templateVariableTypes)[number]

/** Maximum number of templates of a project, and of a silo. */
export const INSTANCE_TEMPLATES_MAX = 200
export const TEMPLATE_VARIABLES_MAX = 32
/** Choices of a variable. */
export const TEMPLATE_CHOICES_MAX = 32
/** Characters of the label of a variable. */
export const TEMPLATE_LABEL_MAX = 80
/** Characters of a value. */
export const TEMPLATE_VALUE_MAX = 1024
/** Characters of the stored instance as JSON. */
export const TEMPLATE_INSTANCE_MAX = 64 * 1024
/** Characters of all texts of a filled template. */
export const TEMPLATE_FILLED_MAX = 128 * 1024
/** Depth of nested lists and objects of the stored instance. */
export const TEMPLATE_DEPTH_MAX = 16
/** Instances that one call creates, at most. */
export const TEMPLATE_COUNT_MAX = 20
/** The greatest number at the end of the name of an instance. */
export const TEMPLATE_NUMBER_MAX = 99_999

/** Variable with the name of the new instance, which every use has. */
export const NAME_VARIABLE = 'name'
/** Property of an object that stands for a whole value: the name of a variable. */
export const VARIABLE_KEY = '$variable'
/** Property of an object that stands for user data: plain text, which may contain variables. */
export const TEXT_KEY = '$text'

const variableName = /^[a-z][a-z0-9_]{0,31}$/
export const isVariableName = (name: string): boolean => variableName.test(name)

/** Names of numbered instances: `web-1`, `web-2`; without a number, the name alone. */
export function templateInstanceNames(name: string, count: number, first: number | null): string[] {
  if (count === 1 && first === null) return [name]
  return Array.from({ length: count }, (_, index) => `${name}-${(first ?? 1) + index}`)
}

export const templateMessages = {
  tooMany: `there may be at most ${INSTANCE_TEMPLATES_MAX} templates in a project or a silo`,
  tooManyVariables: `a template has at most ${TEMPLATE_VARIABLES_MAX} variables`,
  tooManyChoices: `a variable has at most ${TEMPLATE_CHOICES_MAX} choices`,
  tooLong: `the instance of a template has at most ${TEMPLATE_INSTANCE_MAX} characters as JSON`,
  tooDeep: `the instance of a template is nested at most ${TEMPLATE_DEPTH_MAX} levels deep`,
  filledTooLong: `the texts of a filled template have at most ${TEMPLATE_FILLED_MAX} characters`,
  named: 'the instance of a template has no name: it is given whenever the template is used',
  variableName:
    'the name of a variable begins with a lower-case letter and has at most 32 lower-case letters, digits and underscores',
  reservedName: `the variable "${NAME_VARIABLE}" is the name of the instance, and is not declared`,
  twice: (name: string) => `there are two variables "${name}"`,
  label: `a label has 1 to ${TEMPLATE_LABEL_MAX} characters`,
  unknown: (name: string) =>
    `there is no variable "${name}". Write $\${ for the text \${ without a variable`,
  unused: (name: string) => `variable "${name}" is not used in the instance`,
  notAlone: (key: string) =>
    `an object with "${key}" has no other properties, and its value is text`,
  textElsewhere: `"${TEXT_KEY}" stands only for user_data`,
  userDataEncoded: `user_data is Base64 without variables, or an object with "${TEXT_KEY}"`,
  unknownKey: (key: string) =>
    `property "${key}" begins with $, which only "${VARIABLE_KEY}" and "${TEXT_KEY}" do`,
  choicesNone: 'a variable of type choice has choices',
  choicesOther: 'only variables of the types choice, number and size have choices',
  choiceType: 'each choice is a value of the type of the variable',
  boundsOther: 'only variables of the types text, number and size have bounds',
  boundsWrong: 'the lower bound is above the upper one',
  project: 'project: a template of a silo needs the project of the new instances',
  missing: (name: string) => `variable "${name}" needs a value`,
  undeclared: (name: string) => `the template has no variable "${name}"`,
  /** Problems of a value, after the name of its variable. */
  value: {
    text: 'must be text',
    number: 'must be a whole number',
    size: 'must be a whole number of bytes',
    choice: 'must be one of its choices',
    boolean: 'must be true or false',
    name: 'must be a name or an ID',
    long: (max: number) => `must have at most ${max} characters`,
    short: (min: number) => `must have at least ${min} characters`,
    less: (min: number) => `must be at least ${min}`,
    more: (max: number) => `must be at most ${max}`,
  },
  declared: (name: string, problem: string) => `variable "${name}": ${problem}`,
  ofVariable: (name: string, problem: string) => `variable "${name}" ${problem}`,
  filled: (problem: string) => `the instance, with sample values: ${problem}`,
  nameLong: (name: string) => `the name "${name}" is too long`,
} as const
