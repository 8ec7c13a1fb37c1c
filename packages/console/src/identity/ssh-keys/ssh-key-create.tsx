import type { SshKey, SshKeyCreate } from '@steading/api/client'
import { isPrivateKey, privateKeyProblem, readPublicKey } from '@steading/api/ssh-keys'
import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Control, useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Mono } from '../../ui/text.tsx'
import { doneToast } from '../../ui/toasts.tsx'

type KeyValues = { name: string; description: string; publicKey: string }

type SshKeyCreateFormProps = {
  onDismiss: () => void
  onCreated: (key: SshKey) => void
  /** An extra notice above the fields. */
  notice?: ReactNode
}

/** Also opens inside of instance create, without leaving that page. */
export function SshKeyCreateForm({ onDismiss, onCreated, notice }: SshKeyCreateFormProps) {
  const form = useForm<KeyValues>({ defaultValues: { name: '', description: '', publicKey: '' } })
  const create = useApiForm('currentUserSshKeyCreate', (body: SshKeyCreate) => ({ body }), {
    onSuccess: (key) => {
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
      <PublicKeyField control={form.control} />
    </SideModalForm>
  )
}

/** A terminal wraps a key that is copied from it, and PuTTY saves keys in lines. */
function joinLines(text: string): string {
  const read = /[\r\n]/.test(text) ? readPublicKey(text) : undefined
  return read?.ok ? read.key : text
}

/** The control plane takes any text but a private key, so other mistakes are remarks. */
function PublicKeyField({ control }: { control: Control<KeyValues> }) {
  const text = useWatch({ control, name: 'publicKey' })
  const read = text.trim() === '' || isPrivateKey(text) ? undefined : readPublicKey(text)
  return (
    <>
      <TextField
        name="publicKey"
        label="Public key"
        required
        rows={8}
        mono
        control={control}
        transform={joinLines}
        validate={(value) => {
          if (value.trim() === '') return 'Public key is required'
          return isPrivateKey(value) ? privateKeyProblem : undefined
        }}
        warning={(read?.ok ? read.remark : read?.problem) ?? null}
      />
      {read?.ok && (
        <output className="-mt-3 text-xs text-secondary">
          Fingerprint <Mono className="wrap-anywhere whitespace-normal">{read.fingerprint}</Mono>
        </output>
      )}
    </>
  )
}

export function SshKeyCreatePage() {
  const navigate = useNavigate()
  const toList = () => void navigate({ to: '/settings/ssh-keys' })
  return <SshKeyCreateForm onDismiss={toList} onCreated={toList} />
}
