import type { AntiAffinityGroup } from '@steading/api/client'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { ComboboxField } from '../ui/form/combobox-field.tsx'
import { ModalForm } from '../ui/form/modal-form.tsx'
import { PolicyTag } from './policy.tsx'

type Values = { group: string }

type Props = {
  groups: AntiAffinityGroup[]
  onSubmit: (values: Values) => void
  onDismiss: () => void
  loading?: boolean
  code?: (values: Values) => ReactNode
}

/** Asks which group an instance joins; the instance may not exist yet. */
export function ChooseGroupModal({ groups, loading = false, ...props }: Props) {
  const form = useForm({ defaultValues: { group: '' } })
  return (
    <ModalForm
      form={form}
      title="Add to anti-affinity group"
      submitLabel="Add to group"
      {...props}
      loading={loading}
      submitError={null}
    >
      <ComboboxField
        name="group"
        label="Anti-affinity group"
        placeholder="Select a group"
        control={form.control}
        empty="No groups found"
        options={groups.map(({ name, policy }) => ({
          value: name,
          label: name,
          content: (
            <span className="flex items-center gap-3">
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <PolicyTag policy={policy} />
            </span>
          ),
        }))}
      />
    </ModalForm>
  )
}
