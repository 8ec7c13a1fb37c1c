import type { AlertProbeResult, Args } from '@steading/api/client'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { CheckboxField } from '../../ui/form/choice-fields.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'

/** Tests whether a receiver answers. */
export default function ProbeForm({
  receiver,
  onDismiss,
  onProbed,
}: {
  receiver: string
  onDismiss: () => void
  onProbed: (result: AlertProbeResult) => void
}) {
  const form = useForm({ defaultValues: { resend: true } })
  const argsOf = (query: { resend: boolean }): Args<'alertReceiverProbe'> => ({
    path: { receiver },
    query,
  })
  const probe = useApiForm('alertReceiverProbe', argsOf, {
    onSuccess: (result) => {
      onProbed(result)
      onDismiss()
    },
  })
  return (
    <ModalForm
      form={form}
      title="Send probe"
      submitLabel="Send probe"
      onDismiss={onDismiss}
      {...probe}
    >
      <p className="text-secondary">
        A probe is an alert of the class probe. It is sent once, and finds out whether the receiver
        answers.
      </p>
      <CheckboxField name="resend" control={form.control}>
        If it answers, send failed alerts again
      </CheckboxField>
    </ModalForm>
  )
}
