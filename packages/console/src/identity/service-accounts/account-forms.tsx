import type { ServiceAccount, ServiceAccountCreate } from '@steading/api/client'
import { useForm } from 'react-hook-form'
import { apiQuery, invalidate } from '../../data/api.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { namedFields, namedValues, useEditForm } from '../../forms/use-edit-form.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import type { Calls } from '../../ui/server-state.ts'
import { doneToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'

type CreateProps = {
  /** Undefined for a service account of the silo. */
  project: string | undefined
  calls: Calls
  onDismiss: () => void
  onCreated: (account: ServiceAccount) => void
}

export function AccountCreate({ project, calls, onDismiss, onCreated }: CreateProps) {
  const form = useForm({ defaultValues: { name: '', description: '' } })
  const create = useApiForm(
    'serviceAccountCreate',
    (body: ServiceAccountCreate) => ({ query: { project }, body }),
    {
      onSuccess: (account) => {
        void invalidate('serviceAccountList')
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
      calls={calls}
      onDismiss={onDismiss}
    >
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
    </SideModalForm>
  )
}

type EditProps = { account: ServiceAccount; calls: Calls; onDismiss: () => void }

export function AccountEdit({ account, calls, onDismiss }: EditProps) {
  const path = { serviceAccount: account.id }
  const { opened, ...edit } = useEditForm('serviceAccountUpdate', {
    resource: 'service account',
    read: apiQuery('serviceAccountView', { path }),
    opened: account,
    valuesOf: namedValues,
    fields: namedFields,
    argsOf: (body) => ({ path, body }),
    onSuccess: (updated) => {
      void invalidate('serviceAccountList', 'serviceAccountView', 'identityList', 'userList')
      doneToast('Service account', updated.name, 'updated')
      onDismiss()
    },
  })
  const { control } = edit.form
  return (
    <SideModalForm formType="edit" {...edit} calls={calls} onDismiss={onDismiss}>
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
