import type { InstanceNetworkInterfaceCreate } from '@steading/api/client'
import { INSTANCE_MAX_NICS } from '@steading/api/rules'
import { useState } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { NicForm } from '../../../networking/network-interfaces/nic-form.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { Button } from '../../../ui/button.tsx'
import { MiniTable } from '../../../ui/form/mini-table.tsx'
import { changeNetwork } from './change-network.ts'
import { Problem } from './section.tsx'
import type { Offer } from './queries.ts'
import type { InstanceValues } from './values.ts'

type Nic = InstanceNetworkInterfaceCreate

const text = (value: string) => <span className="block min-w-18 wrap-anywhere">{value}</span>

type Props = {
  project: string
  form: UseFormReturn<InstanceValues>
  offer: Offer
  disabled: boolean
}

/** The interfaces of "Custom". Kept while another option is selected. */
export function CustomNics({ project, form, offer, disabled }: Props) {
  const nics = useWatch({ control: form.control, name: 'nics' })
  const [adding, setAdding] = useState(false)
  const set = (next: Nic[]) => {
    form.clearErrors('nics')
    changeNetwork(form, offer, { nics: next })
  }
  return (
    <div className="mt-2 flex flex-col gap-3">
      <MiniTable
        label="Network Interfaces"
        columns={[
          {
            id: 'name',
            header: 'Name',
            cell: ({ name }: Nic) => (
              <span className="flex flex-wrap items-center gap-x-2 gap-y-0.5 py-1.5">
                {text(name)}
                {name === nics[0]?.name && <Tag>primary</Tag>}
              </span>
            ),
          },
          { id: 'vpc', header: 'VPC', cell: ({ vpcName }: Nic) => text(vpcName) },
          { id: 'subnet', header: 'Subnet', cell: ({ subnetName }: Nic) => text(subnetName) },
        ]}
        items={nics}
        rowKey={({ name }) => name}
        onRemove={(nic) => set(nics.filter((each) => each !== nic))}
        removeLabel={({ name }) => `remove network interface ${name}`}
        empty="No network interfaces added"
      />
      <Problem form={form} name="nics" />
      <div className="flex justify-end gap-2">
        <Button
          variant="ghost"
          size="sm"
          disabled={disabled || nics.length === 0}
          onClick={() => set([])}
        >
          Clear
        </Button>
        <Button
          size="sm"
          disabled={disabled}
          disabledReason={
            nics.length >= INSTANCE_MAX_NICS &&
            `May not attach more than ${INSTANCE_MAX_NICS} network interfaces`
          }
          onClick={() => setAdding(true)}
        >
          Add network interface
        </Button>
      </div>
      {adding && (
        <NicForm
          project={project}
          takenNames={nics.map(({ name }) => name)}
          onSubmit={(nic) => {
            set([...form.getValues('nics'), nic])
            setAdding(false)
          }}
          onDismiss={() => setAdding(false)}
        />
      )}
    </div>
  )
}
