import type { Alert, Args } from '@steading/api/client'
import { subscribesTo } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { choicesOf } from '../../data/reads.ts'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { allReceiversQuery } from './queries.ts'

/** Sends an alert to any receiver, even one created after the alert. */
export default function SendForm({
  alert: { id, class: className },
  onDismiss,
}: {
  alert: Alert
  onDismiss: () => void
}) {
  const form = useForm({ defaultValues: { receiver: '' } })
  const receivers = useQuery({
    ...allReceiversQuery,
    select: ({ items }) => ({
      items: items.filter(({ subscriptions }) =>
        subscriptions.some((each) => subscribesTo(each, className)),
      ),
    }),
  })
  const argsOf = (query: { receiver: string }): Args<'alertDeliveryResend'> => ({
    path: { alertId: id },
    query,
  })
  const send = useApiForm('alertDeliveryResend', argsOf, {
    onSuccess: (_, { query }) => {
      addToast({
        content: (
          <>
            The alert is sent to <b>{query.receiver}</b>
          </>
        ),
      })
      onDismiss()
    },
  })
  return (
    <ModalForm
      form={form}
      title="Send alert"
      submitLabel="Send alert"
      onDismiss={onDismiss}
      {...send}
    >
      <ListboxField
        name="receiver"
        description="Only receivers that subscribe to the class of the alert can get it"
        control={form.control}
        required
        empty="No receiver subscribes to this class"
        {...choicesOf(receivers, ({ name }) => ({ value: name, label: name }))}
      />
    </ModalForm>
  )
}
