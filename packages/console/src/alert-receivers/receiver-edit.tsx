import type { Args } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../as-code/as-code.tsx'
import { usePrefetchedQuery } from '../data/api.ts'
import { DescriptionField, NameField } from '../forms/name-fields.tsx'
import { ThingButtons } from '../page/thing-buttons.tsx'
import { SideModalForm } from '../ui/form/side-modal-form.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { addToast } from '../ui/toasts.tsx'
import { endpointFieldProblem } from './fields.tsx'
import { receiverQuery, receiversChanged, useReceiverParam } from './queries.ts'

export function ReceiverEditForm() {
  const navigate = useNavigate()
  const selector = useReceiverParam()
  const { data: receiver } = usePrefetchedQuery(receiverQuery(selector))
  const { name, description, kind } = receiver
  const defaultValues = { name, description, endpoint: kind.endpoint }
  const form = useForm({ defaultValues })
  const toPage = (to: string) =>
    void navigate({ to: '/system/alert-receivers/$receiver', params: { receiver: to } })
  const argsOf = (body: typeof defaultValues): Args<'webhookReceiverUpdate'> => ({
    path: { receiver: selector },
    body,
  })
  const update = useApiForm('webhookReceiverUpdate', argsOf, {
    onSuccess: (_, { body }) => {
      void receiversChanged()
      addToast({
        content: (
          <>
            Receiver <b>{body.name}</b> updated
          </>
        ),
      })
      toPage(body.name ?? name)
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      resource="receiver"
      star={<ThingButtons kind="alert_receiver" thing={receiver} />}
      {...update}
      onDismiss={() => toPage(selector)}
    >
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <TextField
        name="endpoint"
        label="URL"
        description="What is pending is delivered to the new URL as well"
        control={form.control}
        required
        validate={endpointFieldProblem}
      />
    </SideModalForm>
  )
}
