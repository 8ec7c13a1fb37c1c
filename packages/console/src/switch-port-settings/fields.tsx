/** Fields that several sections of the form have. */
import { ipFieldProblem, VLAN_MAX, VLAN_MIN } from '@steading/api/rules'
import { type Control, type FieldPath, useWatch } from 'react-hook-form'
import { ListboxField } from '../ui/form/listbox-field.tsx'
import { NumberField } from '../ui/form/number-field.tsx'
import type { SettingsValues } from './values.ts'

export type Part = { control: Control<SettingsValues> }
type FieldOf = Part & { name: FieldPath<SettingsValues> }

export const ipProblem = (text: string) => ipFieldProblem(text.trim())

/** The links and interfaces that an entry can be of. */
export function useLinkOptions(control: Control<SettingsValues>) {
  const [links, interfaces] = useWatch({ control, name: ['links', 'interfaces'] })
  const names = [...new Set([...links, ...interfaces].map(({ linkName }) => linkName))]
  return names.filter(Boolean).map((value) => ({ value, label: value }))
}

export const LinkField = ({ control, name }: FieldOf) => (
  <ListboxField name={name} label="Link" control={control} options={useLinkOptions(control)} />
)

export const VlanField = ({ control, name, required }: FieldOf & { required: boolean }) => (
  <NumberField
    name={name}
    label="VLAN ID"
    control={control}
    min={VLAN_MIN}
    max={VLAN_MAX}
    required={required}
  />
)
