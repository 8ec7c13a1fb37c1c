import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import type { Group, GroupKind } from './group-kinds.ts'
import { groupTitle, groupNoun } from './group-labels.ts'
import { PolicyTag } from './group-cells.tsx'
import { Truncate } from '../../ui/text.tsx'

type Values = { group: string }

type Props = {
  kind: GroupKind
  groups: Group[]
  onSubmit: (values: Values) => void
  onDismiss: () => void
  loading?: boolean
  code?: (values: Values) => ReactNode
}

/** Dialog to choose the group that an instance joins; the instance may not exist yet. */
export function ChooseGroupModal({ kind, groups, loading = false, ...props }: Props) {
  const form = useForm({ defaultValues: { group: '' } })
  return (
    <ModalForm
      form={form}
      title={`Add to ${groupNoun(kind)}`}
      submitLabel="Add to group"
      {...props}
      loading={loading}
      submitError={null}
    >
      <ComboboxField
        name="group"
        label={groupTitle(kind)}
        placeholder="Select a group"
        control={form.control}
        empty="No groups found"
        options={groups.map(({ name, policy }) => ({
          value: name,
          label: name,
          content: (
            <span className="flex items-center gap-3">
              <Truncate text={name} className="flex-1" />
              <PolicyTag policy={policy} />
            </span>
          ),
        }))}
      />
    </ModalForm>
  )
}
