import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { poolOption, usePoolChoices } from './choices.ts'

type PoolFieldProps<T extends FieldValues, N extends FieldPath<T>> = {
  name: N
  control: Control<T>
  project: string
  /** The pool of a disk whose form names none: its value is empty. */
  usual: string
  disabled?: boolean
}

/** The storage pool of a new disk. Nothing where there is no choice. */
export function PoolField<T extends FieldValues, N extends FieldPath<T>>(
  props: PoolFieldProps<T, N>,
) {
  const { project, usual, ...field } = props
  const pools = usePoolChoices(project)
  if (pools.length === 0) return null
  return (
    <ListboxField
      {...field}
      label="Storage pool"
      required={false}
      options={[{ value: '', label: usual }, ...pools.map(poolOption)]}
    />
  )
}
