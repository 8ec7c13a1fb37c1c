import type { InstanceNetworkInterfaceCreate } from '@steading/api/client'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { whenReread } from '../../data/api.ts'
import type { InstanceParams } from '../../compute/instances/queries.ts'
import { NicForm } from './nic-form.tsx'

/** Adds an interface to an instance. No toast: the new row shows the result. */
export default function NicCreateForm({
  params,
  onDismiss,
}: {
  params: InstanceParams
  onDismiss: () => void
}) {
  const argsOf = (body: InstanceNetworkInterfaceCreate) => ({ query: params, body })
  const create = useApiForm('instanceNetworkInterfaceCreate', argsOf, {
    onSuccess: async () => {
      // The dialog must offer only the remaining choices when it opens again.
      await whenReread()
      onDismiss()
    },
  })
  return (
    <NicForm
      project={params.project}
      {...create}
      plan={(nic) => ({ query: params, body: { type: 'network_interface_create', create: nic } })}
      onDismiss={onDismiss}
    />
  )
}
