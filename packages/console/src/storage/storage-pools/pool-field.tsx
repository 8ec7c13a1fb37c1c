import { type Control, type FieldPath, type FieldValues, useWatch } from 'react-hook-form'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { poolOption, usePoolChoices } from './choices.ts'

type PoolFieldProps<T extends FieldValues, N extends FieldPath<T>> = {
  name: N
  control: Control<T>
  project: string
  /** Label of the empty choice, which leaves the pool to the control plane. */
  usual: string
  disabled?: boolean
}

/**
 * The storage pool of a new disk. Hidden without a choice, unless the chosen pool has been removed:
 * the user has to choose anew.
 */
export function PoolField<T extends FieldValues, N extends FieldPath<T>>(
  props: PoolFieldProps<T, N>,
) {
  const { project, usual, ...field } = props
  const pools = usePoolChoices(project)
  const chosen = useWatch({ control: field.control, name: field.name }) as string
  if (pools.length === 0 && !chosen) return null
  return (
    <ListboxField
      {...field}
      label="Storage pool"
      // The name of a pool that has been removed.
      placeholder={chosen}
      required={false}
      options={[{ value: '', label: usual }, ...pools.map(poolOption)]}
    />
  )
}
