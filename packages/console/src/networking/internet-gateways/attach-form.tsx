import type { Args } from '@steading/api/client'
import { ipFieldProblem } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { whenReread } from '../../data/api.ts'
import { readingOf } from '../../data/reads.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { poolOption } from '../pools/pool-option.tsx'
import { unicastPools, ipPoolsQuery } from '../pools/own-pools.ts'
import { PlannedChanges } from '../reachability/planned-changes.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { doneToast, errorToast } from '../../ui/toasts.tsx'
import type { PendingAttachment } from './gateway-actions.tsx'
import { attachedPoolsQuery, type GatewayParams } from './queries.ts'

type Props = { params: GatewayParams; onDismiss: () => void }

export default function AttachForm({ what, ...props }: Props & Pick<PendingAttachment, 'what'>) {
  return what === 'pool' ? <AttachPool {...props} /> : <AttachAddress {...props} />
}

const poolValues = { ipPool: '', name: '', description: '' }

function AttachPool({ params, onDismiss }: Props) {
  const form = useForm({ defaultValues: poolValues })
  const pools = useQuery(ipPoolsQuery(params.project))
  const attached = useQuery(attachedPoolsQuery(params))
  const taken = new Set(attached.data?.items.map(({ ipPoolId }) => ipPoolId))
  const chosen = useWatch({ control: form.control, name: 'ipPool' })
  const left = unicastPools(pools.data?.items ?? []).filter(({ id }) => !taken.has(id))
  const argsOf = (body: typeof poolValues): Args<'internetGatewayIpPoolCreate'> => ({
    query: params,
    body,
  })
  const attach = useApiForm('internetGatewayIpPoolCreate', argsOf, {
    onSuccess: async ({ name }) => {
      await whenReread()
      doneToast('IP pool', name, 'attached')
      onDismiss()
    },
    onError: ({ message }) => errorToast('Could not attach IP pool', message),
  })
  return (
    <ModalForm
      form={form}
      title="Attach IP pool"
      submitLabel="Attach"
      {...attach}
      onDismiss={onDismiss}
    >
      <ListboxField
        name="ipPool"
        label="IP pool"
        placeholder="Select a pool"
        control={form.control}
        {...readingOf(pools, attached)}
        options={left.map(poolOption)}
        empty="No more pools available"
        // The attachment is named after the pool by default.
        onChange={(pool) => {
          if (!form.formState.dirtyFields.name) form.resetField('name', { defaultValue: pool })
        }}
      />
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <PlannedChanges
        change={
          chosen
            ? { query: params, body: { type: 'internet_gateway_ip_pool_create', ipPool: chosen } }
            : undefined
        }
      />
    </ModalForm>
  )
}

const addressValues = { address: '', name: '', description: '' }

function AttachAddress({ params, onDismiss }: Props) {
  const form = useForm({ defaultValues: addressValues })
  const typed = useWatch({ control: form.control, name: 'address' }).trim()
  const argsOf = (body: typeof addressValues): Args<'internetGatewayIpAddressCreate'> => ({
    query: params,
    body,
  })
  const attach = useApiForm('internetGatewayIpAddressCreate', argsOf, {
    onSuccess: async ({ name }) => {
      await whenReread()
      doneToast('IP address', name, 'attached')
      onDismiss()
    },
    onError: ({ message }) => errorToast('Could not attach IP address', message),
  })
  return (
    <ModalForm
      form={form}
      title="Attach IP address"
      submitLabel="Attach"
      {...attach}
      onDismiss={onDismiss}
    >
      <TextField
        name="address"
        label="IP address"
        required
        mono
        placeholder="Enter an IP"
        control={form.control}
        validate={ipFieldProblem}
      />
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <PlannedChanges
        change={
          ipFieldProblem(typed) === undefined
            ? {
                query: params,
                body: { type: 'internet_gateway_ip_address_create', address: typed },
              }
            : undefined
        }
      />
    </ModalForm>
  )
}
