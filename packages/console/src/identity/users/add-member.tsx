import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { choicesOf } from '../../data/reads.ts'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { type Named, usersQuery } from './queries.ts'

type Props = { group: Named; onDismiss: () => void }

/** Adds a user of the silo to a group. */
export function AddMember({ group, onDismiss }: Props) {
  const form = useForm({ defaultValues: { user: '' } })
  const [text, setText] = useState('')
  const users = useQuery({
    ...usersQuery({ search: useDeferredValue(text.trim()) }),
    placeholderData: (before) => before,
  })
  const add = useApiForm(
    'groupMembersUpdate',
    ({ user }: { user: string }) => ({
      path: { groupId: group.id },
      body: { add: [user], remove: [] },
    }),
    {
      onSuccess: () => {
        addToast('Member added')
        onDismiss()
      },
    },
  )
  return (
    <ModalForm
      form={form}
      title={`Add a member to ${group.displayName}`}
      submitLabel="Add member"
      {...add}
      onDismiss={onDismiss}
    >
      <ComboboxField
        control={form.control}
        name="user"
        label="User"
        required
        onSearch={setText}
        {...choicesOf(users, ({ id, displayName }) => ({
          value: id,
          label: displayName,
        }))}
        description={users.data?.nextPage ? 'There are more: type a part of the name.' : undefined}
      />
    </ModalForm>
  )
}
