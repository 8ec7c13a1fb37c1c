import type { ServiceAccount, ServiceAccountCreate } from '@steading/api/client'
import { KeyRound } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { seedAnswer } from '../../data/seed-answer.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { namedFields, namedValues, useEditForm } from '../../forms/use-edit-form.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { accountCalls } from './places.ts'
import { accountKind, accountQuery } from './queries.ts'
import { Truncate } from '../../ui/text.tsx'

type CreateProps = {
  /** Undefined for a service account of the silo. */
  project: string | undefined
  onDismiss: () => void
  onCreated: (account: ServiceAccount) => void
}

export function AccountCreate({ project, onDismiss, onCreated }: CreateProps) {
  const form = useForm({ defaultValues: { name: '', description: '' } })
  const create = useApiForm(
    'serviceAccountCreate',
    (body: ServiceAccountCreate) => ({ query: { project }, body }),
    {
      onSuccess: (account) => {
        doneToast('Service account', account.name, 'created')
        onCreated(account)
      },
    },
  )
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="service account"
      {...create}
      calls={accountCalls('serviceAccountCreate', project)}
      onDismiss={onDismiss}
    >
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
    </SideModalForm>
  )
}

type EditProps = {
  account: ServiceAccount
  project: string | undefined
  onDismiss: () => void
}

export function AccountEdit({ account, project, onDismiss }: EditProps) {
  const path = { serviceAccount: account.id }
  const { opened, ...edit } = useEditForm('serviceAccountUpdate', {
    resource: 'service account',
    read: accountQuery(account.id),
    opened: account,
    valuesOf: namedValues,
    fields: namedFields,
    argsOf: (body) => ({ path, body }),
    onSuccess: (updated) => {
      seedAnswer('serviceAccountView', { path }, updated)
      doneToast('Service account', updated.name, 'updated')
      onDismiss()
    },
  })
  const { control } = edit.form
  return (
    <SideModalForm
      formType="edit"
      star={<ResourceButtons kind={accountKind(project)} thing={opened} />}
      subtitle={
        <>
          <KeyRound size={16} strokeWidth={1.5} aria-hidden />
          <Truncate text={opened.name} />
        </>
      }
      {...edit}
      calls={accountCalls('serviceAccountUpdate', project)}
      onDismiss={onDismiss}
    >
      <PropertiesTable>
        <PropertiesTable.IdRow id={opened.id} />
        <PropertiesTable.DateRow date={opened.timeCreated} label="Created" />
        <PropertiesTable.DateRow date={opened.timeModified} label="Updated" />
      </PropertiesTable>
      <NameField control={control} />
      <DescriptionField control={control} />
    </SideModalForm>
  )
}
