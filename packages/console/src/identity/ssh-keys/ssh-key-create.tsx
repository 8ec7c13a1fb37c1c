import type { SshKey, SshKeyCreate } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { invalidate } from '../../data/api.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { doneToast } from '../../ui/toasts.tsx'

type SshKeyCreateFormProps = {
  onDismiss: () => void
  onCreated: (key: SshKey) => void
  /** An extra notice above the fields. */
  notice?: ReactNode
}

/** Also opens inside of instance create, without leaving that page. */
export function SshKeyCreateForm({ onDismiss, onCreated, notice }: SshKeyCreateFormProps) {
  const form = useForm({ defaultValues: { name: '', description: '', publicKey: '' } })
  const create = useApiForm('currentUserSshKeyCreate', (body: SshKeyCreate) => ({ body }), {
    onSuccess: (key) => {
      void invalidate('currentUserSshKeyList')
      doneToast('SSH key', key.name, 'created')
      onCreated(key)
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="SSH key"
      title="Add SSH key"
      {...create}
      onDismiss={onDismiss}
    >
      {notice}
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <TextField
        name="publicKey"
        label="Public key"
        required
        rows={8}
        mono
        control={form.control}
      />
    </SideModalForm>
  )
}

export function SshKeyCreatePage() {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/settings/ssh-keys' })
  return <SshKeyCreateForm onDismiss={toList} onCreated={toList} />
}
