import type { Args } from '@steading/api/client'
import {
  addressBits,
  addressWithMask,
  ipFieldProblem,
  ipVersion,
  loopbackMessages,
  type SwitchSlot,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { allLotsQuery } from '../address-lots/queries.ts'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { usePrefetchedQuery } from '../../data/api.ts'
import { choicesOf } from '../../data/reads.ts'
import { switchOptions } from '../switch-ports/queries.ts'
import { CheckboxField } from '../../ui/form/choice-fields.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { racksQuery } from './queries.ts'

type Values = {
  rackId: string
  switchSlot: SwitchSlot
  addressLot: string
  address: string
  mask: number
  anycast: boolean
}

/** The prefix length; defaults to the whole address. */
const maskOf = ({ address, mask }: Values): number =>
  Number.isNaN(mask) ? addressBits[ipVersion(address.trim()) ?? 'v4'] : mask

const argsOf = (values: Values): Args<'networkingLoopbackAddressCreate'> => ({
  body: { ...values, address: values.address.trim(), mask: maskOf(values) },
})

export function LoopbackCreateForm() {
  const navigate = useNavigate()
  const racks = usePrefetchedQuery(racksQuery)
  const only = racks.data.items.length === 1 ? racks.data.items[0]!.id : ''
  const form = useForm<Values>({
    defaultValues: {
      rackId: only,
      switchSlot: 'switch0',
      addressLot: '',
      address: '',
      mask: Number.NaN,
      anycast: false,
    },
  })
  const lots = useQuery(allLotsQuery)
  const close = () => void navigate({ to: '/system/networking/loopback-addresses' })
  const create = useApiForm('networkingLoopbackAddressCreate', argsOf, {
    onSuccess: ({ address }) => {
      doneToast('Loopback address', address, 'created')
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="loopback address"
      {...create}
      onDismiss={close}
    >
      {only === '' && (
        <ListboxField
          name="rackId"
          label="Rack"
          control={form.control}
          empty="No racks"
          {...choicesOf(racks, ({ id }) => ({ value: id, label: id }))}
        />
      )}
      <ListboxField
        name="switchSlot"
        label="Switch"
        control={form.control}
        options={switchOptions}
      />
      <ListboxField
        name="addressLot"
        label="Address lot"
        control={form.control}
        empty="No address lots"
        whenEmpty={{
          label: 'New address lot',
          onAction: () => void navigate({ to: '/system/networking/address-lots-new' }),
        }}
        {...choicesOf(lots, ({ name }) => ({ value: name, label: name }))}
      />
      <TextField
        name="address"
        control={form.control}
        required
        mono
        validate={(text) => ipFieldProblem(text.trim())}
      />
      <NumberField
        name="mask"
        label="Prefix length"
        description="The whole address by default"
        control={form.control}
        required={false}
        max={128}
        validate={(_, values) =>
          ipVersion(values.address.trim()) &&
          !addressWithMask(values.address.trim(), maskOf(values))
            ? loopbackMessages.tooLong
            : undefined
        }
      />
      <CheckboxField
        name="anycast"
        control={form.control}
        description="Several switches may share the address if each of them allows it"
      >
        Anycast
      </CheckboxField>
    </SideModalForm>
  )
}
