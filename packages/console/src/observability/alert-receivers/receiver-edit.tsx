import type { Args, Result } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { namedFields, useEditForm } from '../../forms/use-edit-form.tsx'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { endpointFieldProblem } from './fields.tsx'
import { receiverQuery, useReceiverParam } from './queries.ts'

export function ReceiverEditForm() {
  const navigate = useNavigate()
  const selector = useReceiverParam()
  const toPage = (to: string) =>
    void navigate({ to: '/system/alert-receivers/$receiver', params: { receiver: to } })
  const argsOf = (body: {
    name: string
    description: string
    endpoint: string
  }): Args<'webhookReceiverUpdate'> => ({
    path: { receiver: selector },
    body,
  })
  const {
    opened: receiver,
    form,
    ...update
  } = useEditForm('webhookReceiverUpdate', {
    resource: 'receiver',
    read: receiverQuery(selector),
    valuesOf: ({ name, description, kind }: Result<'alertReceiverView'>) => ({
      name,
      description,
      endpoint: kind.endpoint,
    }),
    fields: { ...namedFields, endpoint: 'URL' },
    argsOf,
    onSuccess: (_, { body }) => {
      doneToast('Receiver', body.name, 'updated')
      toPage(body.name ?? selector)
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      star={<ResourceButtons kind="alert_receiver" thing={receiver} />}
      {...update}
      onDismiss={() => toPage(selector)}
    >
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <TextField
        name="endpoint"
        label="URL"
        description="Pending deliveries also go to the new URL"
        control={form.control}
        required
        validate={endpointFieldProblem}
      />
    </SideModalForm>
  )
}
