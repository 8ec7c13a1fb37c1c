import type { Args } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { MatchesHint, subscriptionFieldProblem } from './fields.tsx'
import { useReceiverParam } from './queries.ts'

export function SubscriptionForm() {
  const navigate = useNavigate()
  const receiver = useReceiverParam()
  const form = useForm({ defaultValues: { subscription: '' } })
  const { control } = form
  const subscription = useWatch({ control, name: 'subscription' })
  const close = () =>
    void navigate({
      to: '/system/alert-receivers/$receiver',
      params: { receiver },
      search: { tab: 'subscriptions' },
    })
  const argsOf = (body: { subscription: string }): Args<'alertReceiverSubscriptionAdd'> => ({
    path: { receiver },
    body,
  })
  const add = useApiForm('alertReceiverSubscriptionAdd', argsOf, {
    onSuccess: () => {
      addToast('Subscription added')
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="subscription"
      title="Add subscription"
      {...add}
      onDismiss={close}
    >
      <TextField
        name="subscription"
        label="Class"
        description="* stands for one segment, ** for one or more"
        mono
        control={control}
        required
        validate={(text: string) =>
          text === '' ? 'Class is required' : subscriptionFieldProblem(text)
        }
      />
      <MatchesHint subscription={subscription} />
    </SideModalForm>
  )
}
