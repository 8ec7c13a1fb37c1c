/** Fields shared by several sections of the form. */
import { ipFieldProblem, portSettingsMessages, VLAN_MAX, VLAN_MIN } from '@steading/api/rules'
import { type Control, type FieldPath, useWatch } from 'react-hook-form'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import type { SettingsValues } from './values.ts'

export type Part = { control: Control<SettingsValues> }
type FieldOf = Part & { name: FieldPath<SettingsValues> }

export const ipProblem = (text: string) => ipFieldProblem(text.trim())

/** The links and interfaces an entry can belong to. */
export function useLinkOptions(control: Control<SettingsValues>) {
  const [links, interfaces] = useWatch({ control, name: ['links', 'interfaces'] })
  const names = [...new Set([...links, ...interfaces].map(({ linkName }) => linkName))]
  return names.filter(Boolean).map((value) => ({ value, label: value }))
}

/**
 * Field for a link. A selected link that is not part of the settings stays selected, with a note
 * that it has no effect.
 */
export function LinkField({ control, name }: FieldOf) {
  const options = useLinkOptions(control)
  const chosen = useWatch({ control, name })
  const isUnknown =
    typeof chosen === 'string' && chosen !== '' && options.every(({ value }) => value !== chosen)
  return (
    <ListboxField
      name={name}
      label="Link"
      control={control}
      description={isUnknown ? portSettingsMessages.noLink(chosen) : undefined}
      options={isUnknown ? [...options, { value: chosen, label: chosen }] : options}
    />
  )
}

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
