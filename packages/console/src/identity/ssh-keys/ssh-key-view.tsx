import { readPublicKey } from '@steading/api/ssh-keys'
import { useNavigate, useParams } from '@tanstack/react-router'
import { KeyRound } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { apiQuery, usePrefetchedQuery } from '../../data/api.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { Mono } from '../../ui/text.tsx'
import { ReadOnlySideModal } from '../../ui/side-modal.tsx'

/** Keys cannot be edited, so all fields are disabled. */
export function SshKeyView() {
  const navigate = useNavigate()
  const path = useParams({ from: '/shell/settings/ssh-keys/ssh-keys/$sshKey/edit' })
  const { data: key } = usePrefetchedQuery(apiQuery('currentUserSshKeyView', { path }))
  const { control } = useForm({ values: key })
  const read = readPublicKey(key.publicKey)
  return (
    <ReadOnlySideModal
      title="View SSH Key"
      star={<ResourceButtons kind="ssh_key" thing={key} />}
      subtitle={
        <>
          <KeyRound size={16} strokeWidth={1.5} aria-hidden /> {key.name}
        </>
      }
      onDismiss={() => void navigate({ to: '/settings/ssh-keys' })}
    >
      <PropertiesTable>
        <PropertiesTable.IdRow id={key.id} />
        {read.ok && (
          <PropertiesTable.Row label="Fingerprint">
            <Mono className="wrap-anywhere whitespace-normal">{read.fingerprint}</Mono>
          </PropertiesTable.Row>
        )}
        <PropertiesTable.DateRow date={key.timeCreated} label="Created" />
        <PropertiesTable.DateRow date={key.timeModified} label="Updated" />
      </PropertiesTable>
      <NameField control={control} disabled />
      <DescriptionField control={control} disabled />
      <TextField
        name="publicKey"
        label="Public key"
        required
        disabled
        rows={8}
        mono
        control={control}
        suffix={<CopyButton text={key.publicKey} />}
      />
    </ReadOnlySideModal>
  )
}
