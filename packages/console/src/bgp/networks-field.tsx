import {
  announcedNetworkProblem,
  ANNOUNCEMENTS_MAX,
  bgpMessages,
  blockHasNetwork,
  cidrFieldProblem,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useForm, useWatch } from 'react-hook-form'
import { allLotsQuery, lotQuery } from '../address-lots/queries.ts'
import { capitalized } from '../ui/list-controls/count-text.ts'
import { choicesOf } from '../data/reads.ts'
import { SubForm } from '../forms/sub-form.tsx'
import { ListboxField } from '../ui/form/listbox-field.tsx'
import { MiniTable } from '../ui/form/mini-table.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { Mono } from '../ui/text.tsx'

/** A network of a lot, which stands by its name. */
export type Announced = { lot: string; network: string }
type Props = { value: Announced[]; onChange: (announced: Announced[]) => void }

const initial: Announced = { lot: '', network: '' }

/** The networks of an announce set. */
export function NetworksField({ value: announced, onChange }: Props) {
  const navigate = useNavigate()
  const { control, handleSubmit, reset } = useForm({ defaultValues: initial })
  const [lot, network] = useWatch({ control, name: ['lot', 'network'] })
  const lots = useQuery(allLotsQuery)
  const add = handleSubmit((one) => {
    onChange([...announced, { ...one, network: one.network.trim() }])
    reset({ ...initial, lot: one.lot })
  })
  const problem = (text: string): string | undefined => {
    const trimmed = text.trim()
    if (announced.some((one) => one.network === trimmed)) return bgpMessages.twice(trimmed)
    return cidrFieldProblem(trimmed) ?? announcedNetworkProblem(trimmed)
  }
  const { data: chosen } = useQuery({ ...lotQuery(lot), enabled: lot !== '' })
  const blocks = chosen?.blocks.map(({ firstAddress, lastAddress }) => ({
    first_address: firstAddress,
    last_address: lastAddress,
  }))
  const trimmed = network.trim()
  const isOutside =
    blocks !== undefined &&
    cidrFieldProblem(trimmed) === undefined &&
    !blocks.some((block) => blockHasNetwork(block, trimmed))
  return (
    <div className="flex flex-col gap-4">
      <h3 className="text-base font-semibold">Networks</h3>
      <SubForm
        addLabel="Add network"
        addable={lot !== '' && network !== ''}
        clearable={lot !== '' || network !== ''}
        onAdd={() => void add()}
        onClear={() => reset(initial)}
        full={announced.length >= ANNOUNCEMENTS_MAX ? bgpMessages.tooMany : undefined}
      >
        <ListboxField
          name="lot"
          label="Address lot"
          control={control}
          empty="No address lots"
          whenEmpty={{
            label: 'New address lot',
            onAction: () => void navigate({ to: '/system/networking/address-lots-new' }),
          }}
          {...choicesOf(lots, ({ name }) => ({ value: name, label: name }))}
        />
        <TextField
          name="network"
          control={control}
          required
          mono
          placeholder="192.0.2.0/24"
          description={isOutside ? capitalized(bgpMessages.outside(trimmed, blocks)) : undefined}
          validate={problem}
        />
      </SubForm>
      <MiniTable
        label="Networks"
        columns={[
          { id: 'network', header: 'Network', cell: (one) => <Mono>{one.network}</Mono> },
          { id: 'lot', header: 'Address lot', cell: (one) => one.lot },
        ]}
        items={announced}
        rowKey={(one) => one.network}
        onRemove={(one) => onChange(announced.filter((each) => each !== one))}
      />
    </div>
  )
}
