import type { Args } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { CommentField, type CommentValues } from './comment-field.tsx'
import { bundlesChanged } from './queries.ts'

const argsOf = ({ comment }: CommentValues): Args<'supportBundleCreate'> => ({
  body: { userComment: comment || null },
})

export function BundleCreateForm() {
  const navigate = useNavigate()
  const form = useForm<CommentValues>({ defaultValues: { comment: '' } })
  const close = () => void navigate({ to: '/system/support-bundles' })
  const create = useApiForm('supportBundleCreate', argsOf, {
    onSuccess: () => {
      void bundlesChanged()
      addToast({ content: 'Support bundle is being collected' })
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="support bundle"
      title="Collect support bundle"
      submitLabel="Collect"
      {...create}
      onDismiss={close}
    >
      <p className="text-secondary">
        A bundle has the configuration, versions, inventory, uplinks, states, statistics of the
        database, the last day of the audit log and the logs of the servers. It has no passwords,
        keys or tokens, and nothing that users have stored.
      </p>
      <CommentField control={form.control} />
    </SideModalForm>
  )
}
