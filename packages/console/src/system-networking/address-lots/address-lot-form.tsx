import type { Args } from '@steading/api/client'
import { type AddressBlock, type AddressLotKind } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { withEntry } from '../../forms/list-entry.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { type BlockEntry, blockList, BlocksField } from './blocks-field.tsx'

type Values = {
  name: string
  description: string
  kind: AddressLotKind
  blocks: AddressBlock[]
  blockEntry: BlockEntry
}

const initial: Values = {
  name: '',
  description: '',
  kind: 'infra',
  blocks: [],
  blockEntry: blockList.blank,
}

const argsOf = ({ blocks, blockEntry, ...body }: Values): Args<'networkingAddressLotCreate'> => ({
  body: {
    ...body,
    blocks: withEntry(blockList, blocks, blockEntry).map(({ first_address, last_address }) => ({
      firstAddress: first_address,
      lastAddress: last_address,
    })),
  },
})

export function AddressLotCreateForm() {
  const navigate = useNavigate()
  const form = useForm({ defaultValues: initial })
  const close = () => void navigate({ to: '/system/networking/address-lots' })
  const create = useApiForm('networkingAddressLotCreate', argsOf, {
    onSuccess: ({ lot }) => {
      doneToast('Address lot', lot.name, 'created')
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="address lot"
      {...create}
      onDismiss={close}
    >
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <RadioField
        name="kind"
        control={form.control}
        column
        items={[
          {
            value: 'infra',
            label: 'Infra',
            description: 'For the rack itself: its uplinks and loopback addresses',
          },
          { value: 'pool', label: 'Pool', description: 'For the addresses of IP pools' },
        ]}
      />
      <BlocksField />
    </SideModalForm>
  )
}
