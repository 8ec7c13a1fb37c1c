import { invalidate, useApiMutation } from '../data/api.ts'
import type { InstanceParams } from '../instances/queries.ts'
import { NicForm } from './nic-form.tsx'

/** Adds an interface to an instance. The new row says that it was done. */
export default function NicCreateForm({
  params,
  onDismiss,
}: {
  params: InstanceParams
  onDismiss: () => void
}) {
  const create = useApiMutation('instanceNetworkInterfaceCreate', {
    onSuccess: async () => {
      // The next time it is opened it offers what is left.
      await invalidate('instanceNetworkInterfaceList', 'instanceExternalIpList')
      onDismiss()
    },
  })
  return (
    <NicForm
      project={params.project}
      onSubmit={(body) => create.mutate({ query: params, body })}
      onDismiss={onDismiss}
      loading={create.isPending}
      submitError={create.error}
    />
  )
}
