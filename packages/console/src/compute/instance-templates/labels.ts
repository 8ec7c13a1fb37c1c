import type { InstanceTemplateVariable } from '@steading/api/client'
import type { TemplateVariableType } from '@steading/api/rules'
import { formatNumber, formatSize } from '../../ui/number.ts'

/** The popover of the documentation on the pages about templates. */
export const templateDocs = {
  topic: 'templates',
  summary:
    'A template stores the request that creates an instance, with variables. Its form asks only for their values, and creates one or several instances.',
} as const

/** Types of variables, as the form names them. */
export const typeLabels: Record<TemplateVariableType, string> = {
  text: 'Text',
  number: 'Number',
  size: 'Size',
  choice: 'Choice',
  boolean: 'Yes or no',
  image: 'Image',
  ssh_key: 'SSH key',
  vpc: 'VPC',
  subnet: 'Subnet',
}

/** A value of a variable, as text. */
export function valueLabels(type: TemplateVariableType, value: unknown): string {
  if (type === 'size' && typeof value === 'number') return formatSize(value)
  if (typeof value === 'number') return formatNumber(value)
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return String(value)
}

/** The default of a variable in a table; undefined if it has none. */
export const defaultWords = ({
  type,
  default: preset,
}: Pick<InstanceTemplateVariable, 'type' | 'default'>): string | undefined =>
  preset === null || preset === undefined ? undefined : valueLabels(type, preset)
