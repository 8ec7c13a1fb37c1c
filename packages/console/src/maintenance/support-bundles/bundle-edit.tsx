import type { Args, Result } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useEditForm } from '../../forms/use-edit-form.tsx'
import { ThingButtons } from '../../page/thing-buttons.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { CommentField, type CommentValues } from './comment-field.tsx'
import { bundleQuery, bundlesChanged, named, useBundleParam } from './queries.ts'

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
      void bundlesChanged()
      addToast({ content: 'Comment updated' })
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      title="Edit comment"
      star={<ThingButtons kind="support_bundle" thing={named(bundle)} />}
      {...update}
      onDismiss={close}
    >
      <CommentField control={form.control} />
    </SideModalForm>
  )
}
