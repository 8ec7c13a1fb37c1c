import type { Args } from '@steading/api/client'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../as-code/as-code.tsx'
import { usePrefetchedQuery } from '../data/api.ts'
import { ThingButtons } from '../page/thing-buttons.tsx'
import { SideModalForm } from '../ui/form/side-modal-form.tsx'
import { addToast } from '../ui/toasts.tsx'
import { CommentField, type CommentValues } from './comment-field.tsx'
import { bundleQuery, bundlesChanged, named, useBundleParam } from './queries.ts'

export function BundleEditForm() {
  const navigate = useNavigate()
  const bundleId = useBundleParam()
  const bundle = named(usePrefetchedQuery(bundleQuery(bundleId)).data)
  const form = useForm<CommentValues>({ defaultValues: { comment: bundle.userComment ?? '' } })
  const close = () =>
    void navigate({ to: '/system/support-bundles/$bundle', params: { bundle: bundleId } })
  const argsOf = ({ comment }: CommentValues): Args<'supportBundleUpdate'> => ({
    path: { bundleId },
    body: { userComment: comment || null },
  })
  const update = useApiForm('supportBundleUpdate', argsOf, {
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
      resource="support bundle"
      title="Edit comment"
      star={<ThingButtons kind="support_bundle" thing={bundle} />}
      {...update}
      onDismiss={close}
    >
      <CommentField control={form.control} />
    </SideModalForm>
  )
}
