import { PARTS_MAX } from '../../rules/limits.ts'
import { NAME_MAX } from '../../rules/names.ts'
import {
  array,
  boolean,
  description,
  identity,
  identityCreate,
  identityUpdate,
  int64,
  integer,
  list,
  map,
  Name,
  named,
  NameOrId,
  oneOf,
  record,
  ruledText,
  scalar,
  shortText,
  string,
  uint32,
  uuid,
} from '../../schema.ts'
import { describeJson, isJsonObject, isLongJson, tooLong } from '../../describe-json.ts'
import { textProblem } from '../../rules/texts.ts'
import { Instance } from '../instances/schemas.ts'
import {
  TEMPLATE_CHOICES_MAX,
  TEMPLATE_COUNT_MAX,
  TEMPLATE_INSTANCE_MAX,
  TEMPLATE_LABEL_MAX,
  TEMPLATE_NUMBER_MAX,
  TEMPLATE_VALUE_MAX,
  TEMPLATE_VARIABLES_MAX,
  templateMessages,
  templateVariableTypes,
} from './rules.ts'

const InstanceTemplateValue = named(
  'InstanceTemplateValue',
  scalar(
    {
      oneOf: [
        { type: 'string', maxLength: TEMPLATE_VALUE_MAX },
        { type: 'number', format: 'double' },
        { type: 'boolean' },
      ],
    },
    (value) => {
      if (typeof value === 'number' || typeof value === 'boolean') return undefined
      if (typeof value !== 'string') {
        return `invalid type: ${describeJson(value)}, expected text, a number or a boolean`
      }
      if (value.length > TEMPLATE_VALUE_MAX) return templateMessages.value.long(TEMPLATE_VALUE_MAX)
      return textProblem(value)
    },
  ),
)

const InstanceTemplateVariable = record('InstanceTemplateVariable', {
  /** Lower-case letters, digits and underscores. */
  name: shortText,
  /** Label of its field. */
  label: ruledText(TEMPLATE_LABEL_MAX),
  description: description.default(''),
  type: named('InstanceTemplateVariableType', oneOf(...templateVariableTypes)),
  /** Whether each use needs a value. Without one, its property or element is left away. */
  required: boolean.default(true),
  /** A value of its type; null: none. Sizes are in bytes. */
  default: InstanceTemplateValue.nullable().default(null),
  /** The only values, of the types choice, number and size. */
  choices: array(InstanceTemplateValue, TEMPLATE_CHOICES_MAX).default([]),
  /** Lower bound of a number or a size in bytes, or of the characters of a text. */
  min: int64.nullable().default(null),
  max: int64.nullable().default(null),
})
const variables = array(InstanceTemplateVariable, TEMPLATE_VARIABLES_MAX)

/**
 * The body of `instance_create` without a name. `{"$variable": "x"}` stands for a whole value,
 * `${x}` for a part of a text, and `$${` for `${`; `${name}` is the name of the new instance. Without
 * `hostname` and `description`, these are the name and empty. `user_data` is Base64 without variables,
 * or `{"$text": "…"}` with plain text.
 */
const instance = named(
  'InstanceTemplateInstance',
  scalar({ type: 'object', maxProperties: PARTS_MAX }, (value) => {
    if (!isJsonObject(value)) return `invalid type: ${describeJson(value)}, expected a map`
    const { length } = Object.keys(value)
    if (length > PARTS_MAX) return tooLong(length, PARTS_MAX, 'keys')
    return isLongJson(value, TEMPLATE_INSTANCE_MAX) ? templateMessages.tooLong : undefined
  }),
)

const summary = {
  ...identity,
  /** Null for a template of the silo. */
  project_id: uuid.nullable(),
  /** Number of its variables. */
  variable_count: uint32,
}
/** A template in a list. */
export const InstanceTemplate = record('InstanceTemplate', summary)
export const InstanceTemplateDetails = record('InstanceTemplateDetails', {
  ...summary,
  instance,
  variables,
})
export const InstanceTemplateCreate = record('InstanceTemplateCreate', {
  ...identityCreate,
  instance,
  variables: variables.default([]),
})
/** Absent fields remain unchanged. */
export const InstanceTemplateUpdate = record('InstanceTemplateUpdate', {
  ...identityUpdate,
  instance: instance.nullable().optional(),
  variables: variables.nullable().optional(),
})

/** The beginning of a template, made of an existing instance. Its user data is left away. */
export const InstanceTemplateDraft = record('InstanceTemplateDraft', { instance })

/** Instances to create. */
export const InstanceTemplateUse = record('InstanceTemplateUse', {
  /** Of the instance, or of all of them, each with a number: `web-1`, `web-2`. */
  name: Name,
  /** Project of the new instances; null: that of the template. */
  project: NameOrId.nullable().default(null),
  count: integer('uint32', 'a number of instances', 1, TEMPLATE_COUNT_MAX).default(1),
  /** Number of the first; null: 1, and a single instance has none. */
  first_number: integer('uint32', 'a number', 0, TEMPLATE_NUMBER_MAX).nullable().default(null),
  /** Values by the name of the variable: text, a number or a boolean. Null: the default. */
  values: map(InstanceTemplateValue.nullable(), TEMPLATE_VARIABLES_MAX, NAME_MAX).default({}),
})

const InstanceFromTemplate = record('InstanceFromTemplate', {
  name: Name,
  /** Null if it was not created. */
  instance: Instance.nullable(),
  /** Of the refusal; null if it was created. */
  error_code: string.nullable(),
  message: string.nullable(),
})
export const InstancesFromTemplate = record('InstancesFromTemplate', {
  items: list(InstanceFromTemplate),
})
