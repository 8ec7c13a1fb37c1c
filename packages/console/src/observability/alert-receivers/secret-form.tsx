import type { Args } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { asCode, useApiForm } from '../../workspace/as-code/as-code.tsx'
import { call } from '../../workspace/as-code/steps.ts'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { SECRET_IN_CODE, secretFieldProblem } from './fields.tsx'
import { useReceiverParam } from './queries.ts'

export function SecretForm() {
  const navigate = useNavigate()
  const receiver = useReceiverParam()
  const form = useForm({ defaultValues: { secret: '' } })
  const close = () =>
    void navigate({
      to: '/system/alert-receivers/$receiver',
      params: { receiver },
      search: { tab: 'secrets' },
    })
  const argsOf = (body: { secret: string }): Args<'webhookSecretsAdd'> => ({
    query: { receiver },
    body,
  })
  const add = useApiForm('webhookSecretsAdd', argsOf, {
    onSuccess: () => {
      addToast('Secret added')
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="secret"
      title="Add secret"
      {...add}
      code={() => asCode(call('webhookSecretsAdd', argsOf({ secret: SECRET_IN_CODE })))}
      onDismiss={close}
    >
      <TextField
        name="secret"
        type="password"
        autoComplete="new-password"
        description="Deliveries are signed with each secret of a receiver, so that one can be replaced without a gap. It is not shown again."
        control={form.control}
        required
        validate={secretFieldProblem}
      />
    </SideModalForm>
  )
}
