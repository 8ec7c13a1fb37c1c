import type { Args } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { addToast } from '../../ui/toasts.tsx'

type Values = { document: string }

function documentProblem(text: string): string | undefined {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === 'object' && json !== null ? undefined : 'This is not a JSON object'
  } catch {
    return 'This is not valid JSON'
  }
}

const argsOf = ({ document }: Values): Args<'systemUpdateTrustRootCreate'> => ({
  body: documentProblem(document) ? {} : JSON.parse(document),
})

export function TrustRootForm() {
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/system/update' })
  const form = useForm<Values>({ defaultValues: { document: '' } })
  const create = useApiForm('systemUpdateTrustRootCreate', argsOf, {
    onSuccess: () => {
      addToast('Trust root added')
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="trust root"
      title="Add trust root"
      {...create}
      onDismiss={close}
    >
      <TextField
        name="document"
        label="Root document"
        description="The root.json from the publisher of the releases"
        control={form.control}
        required
        mono
        rows={14}
        validate={documentProblem}
      />
    </SideModalForm>
  )
}
