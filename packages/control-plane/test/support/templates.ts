/** Templates of instances that tests create. */
import type { Wire } from '@steading/api'
import { GiB } from '@steading/api/rules'
import { newVariable } from '@steading/api/templates'

export const variable = (
  name: string,
  type: Wire.InstanceTemplateVariableType,
  values: Partial<Wire.InstanceTemplateVariable> = {},
): Wire.InstanceTemplateVariable => newVariable({ name, label: name, type, ...values })

/** A small template, whose instances are not started. */
export const templateBody = (
  name: string,
  instance: Record<string, unknown> = {},
  variables: Wire.InstanceTemplateVariable[] = [],
): Wire.InstanceTemplateCreate => ({
  name,
  description: '',
  instance: {
    ncpus: 1,
    memory: GiB,
    network_interfaces: { type: 'none' },
    start: false,
    ...instance,
  },
  variables,
})
