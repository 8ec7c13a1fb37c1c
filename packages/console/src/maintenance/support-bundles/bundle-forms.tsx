import type { Args, Result } from '@steading/api/client'
import { bundleCommentProblem } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { type Control, useForm } from 'react-hook-form'
import { useEditForm } from '../../forms/use-edit-form.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { bundleQuery, named, useBundleParam } from './queries.ts'

export interface CommentValues {
  comment: string
}

export const CommentField = ({ control }: { control: Control<CommentValues> }) => (
  <TextField
    name="comment"
    label="Comment"
    description="The problem, its start and attempted remedies. Shown beside the bundle, but not part of it."
    rows={6}
    control={control}
    validate={bundleCommentProblem}
  />
)

const argsOf = ({ comment }: CommentValues): Args<'supportBundleCreate'> => ({
  body: { userComment: comment || null },
})

export function BundleCreateForm() {
  const navigate = useNavigate()
  const form = useForm<CommentValues>({ defaultValues: { comment: '' } })
  const close = () => void navigate({ to: '/system/support-bundles' })
  const create = useApiForm('supportBundleCreate', argsOf, {
    onSuccess: () => {
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

export function BundleEditForm() {
  const navigate = useNavigate()
  const bundleId = useBundleParam()
  const close = () =>
    void navigate({ to: '/system/support-bundles/$bundle', params: { bundle: bundleId } })
  const argsOf = ({ comment }: CommentValues): Args<'supportBundleUpdate'> => ({
    path: { bundleId },
    body: { userComment: comment || null },
  })
  const {
    opened: bundle,
    form,
    ...update
  } = useEditForm('supportBundleUpdate', {
    resource: 'support bundle',
    read: bundleQuery(bundleId),
    valuesOf: ({ userComment }: Result<'supportBundleView'>): CommentValues => ({
      comment: userComment ?? '',
    }),
    fields: { comment: 'Comment' },
    argsOf,
    onSuccess: () => {
      addToast({ content: 'Comment updated' })
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      title="Edit comment"
      star={<ResourceButtons kind="support_bundle" thing={named(bundle)} />}
      {...update}
      onDismiss={close}
    >
      <CommentField control={form.control} />
    </SideModalForm>
  )
}
