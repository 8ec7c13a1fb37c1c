import type { StoragePoolChoice } from '@steading/api/client'

/** A pool as an option of a list, by its name. */
export const poolOption = ({ name, isDefault }: StoragePoolChoice) => ({
  value: name,
  label: isDefault ? `${name} (default)` : name,
})
