import type { Args } from '@steading/api/client'
import { useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../../../workspace/as-code/as-code.tsx'
import { whenReread } from '../../../data/api.ts'
import type { InstanceParams } from '../queries.ts'
import { poolOption } from '../../../networking/pools/pool-option.tsx'
import { onlyDefault, poolSelectorOf } from '../../../networking/pools/own-pools.ts'
import { PlannedChanges } from '../../../networking/reachability/planned-changes.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { ListboxField } from '../../../ui/form/listbox-field.tsx'
import { ModalForm } from '../../../ui/form/modal-form.tsx'
import { doneToast } from '../../../ui/toasts.tsx'
import type { EphemeralOffer } from './ephemeral-ip.ts'

type Props = { params: InstanceParams; offer: EphemeralOffer; onDismiss: () => void }

export default function AttachEphemeralIpModal({ params, offer, onDismiss }: Props) {
  const form = useForm({ defaultValues: { pool: onlyDefault(offer.pools) } })
  const chosen = useWatch({ control: form.control, name: 'pool' })
  const argsOf = ({ pool }: { pool: string }): Args<'instanceEphemeralIpAttach'> => ({
    path: { instance: params.instance },
    query: { project: params.project },
    body: { poolSelector: poolSelectorOf(pool) },
  })
  const attach = useApiForm('instanceEphemeralIpAttach', argsOf, {
    onSuccess: async ({ ip }) => {
      // The dialog must offer only the remaining choices when it opens again.
      await whenReread()
      doneToast('IP', ip, 'attached')
      onDismiss()
    },
  })
  const noPools =
    offer.pools.length === 0 && 'No compatible unicast pools available for this instance'
  return (
    <ModalForm
      form={form}
      title="Attach ephemeral IP"
      submitLabel="Attach"
      {...attach}
      onDismiss={onDismiss}
      submitDisabledReason={noPools || (!chosen && 'Select a pool')}
    >
      {offer.info && <Banner>{offer.info}</Banner>}
      <ListboxField
        name="pool"
        label="Pool"
        placeholder="Select a pool"
        control={form.control}
        options={offer.pools.map(poolOption)}
      />
      <PlannedChanges
        change={
          chosen
            ? {
                query: params,
                body: {
                  type: 'ephemeral_ip_attach',
                  attach: { poolSelector: poolSelectorOf(chosen) },
                },
              }
            : undefined
        }
      />
    </ModalForm>
  )
}
