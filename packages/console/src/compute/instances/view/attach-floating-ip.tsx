import type { Args, FloatingIp, Instance } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../../../workspace/as-code/as-code.tsx'
import { whenReread } from '../../../data/api.ts'
import { floatingIpOption } from '../../../networking/floating-ips/floating-ip-option.tsx'
import { ipPoolsQuery } from '../../../networking/pools/own-pools.ts'
import { PlannedChanges } from '../../../networking/reachability/planned-changes.tsx'
import { useInstanceParams } from '../queries.ts'
import { Banner } from '../../../ui/banner.tsx'
import { ListboxField } from '../../../ui/form/listbox-field.tsx'
import { ModalForm } from '../../../ui/form/modal-form.tsx'
import { doneToast } from '../../../ui/toasts.tsx'

type Props = { instance: Instance; available: FloatingIp[]; onDismiss: () => void }

export default function AttachFloatingIpModal({ instance, available, onDismiss }: Props) {
  const form = useForm({ defaultValues: { floatingIp: '' } })
  const chosen = useWatch({ control: form.control, name: 'floatingIp' })
  const { project } = useInstanceParams()
  const pools = useQuery(ipPoolsQuery(project)).data?.items ?? []
  const idOf = (floatingIp: string) =>
    available.find(({ name }) => name === floatingIp)?.id ?? floatingIp
  const argsOf = ({ floatingIp }: { floatingIp: string }): Args<'floatingIpAttach'> => ({
    path: { floatingIp: idOf(floatingIp) },
    body: { kind: 'instance', parent: instance.id },
  })
  const attach = useApiForm('floatingIpAttach', argsOf, {
    onSuccess: async ({ name }) => {
      // The dialog must offer only the remaining choices when it opens again.
      await whenReread()
      doneToast('IP', name, 'attached')
      onDismiss()
    },
  })
  return (
    <ModalForm
      form={form}
      title="Attach floating IP"
      submitLabel="Attach floating IP"
      {...attach}
      onDismiss={onDismiss}
      submitDisabledReason={!chosen && 'Select a floating IP'}
    >
      <Banner>Instance ‘{instance.name}’ will be reachable at the selected IP address</Banner>
      <ListboxField
        name="floatingIp"
        label="Floating IP"
        placeholder="Select a floating IP"
        control={form.control}
        options={available.map((ip) => floatingIpOption(ip, pools))}
      />
      <PlannedChanges
        change={
          chosen
            ? {
                body: {
                  type: 'floating_ip_attach',
                  floatingIp: idOf(chosen),
                  parent: instance.id,
                },
              }
            : undefined
        }
      />
    </ModalForm>
  )
}
