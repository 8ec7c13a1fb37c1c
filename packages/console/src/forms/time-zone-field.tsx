import type { Control, FieldPath, FieldValues, Validate } from 'react-hook-form'
import { ComboboxField } from '../ui/form/combobox-field.tsx'

const timeZones = (): string[] => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
]

interface TimeZoneFieldProps<V extends FieldValues> {
  control: Control<V>
  name: FieldPath<V>
  description: string
  validate?: Validate<any, V>
}

/** Chooses a time zone by its name in the IANA database. */
export const TimeZoneField = <V extends FieldValues>(props: TimeZoneFieldProps<V>) => (
  <ComboboxField
    {...props}
    label="Time zone"
    required
    options={timeZones().map((zone) => ({ value: zone, label: zone }))}
  />
)
