import {
  ADDRESS_LOT_BLOCKS_MAX,
  addressLotMessages,
  type AddressBlock,
  blocksProblem,
  ipFieldProblem,
} from '@steading/api/rules'
import { useForm, useWatch } from 'react-hook-form'
import { SubForm } from '../forms/sub-form.tsx'
import { MiniTable } from '../ui/form/mini-table.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { Mono } from '../ui/text.tsx'

type Props = { value: AddressBlock[]; onChange: (blocks: AddressBlock[]) => void }

const initial = { first: '', last: '' }
type Values = typeof initial

/** A block of one address has no last one. */
const blockOf = ({ first, last }: Values): AddressBlock => ({
  first_address: first.trim(),
  last_address: last.trim() || first.trim(),
})

/** The blocks of a new lot. */
export function BlocksField({ value: blocks, onChange }: Props) {
  const { control, handleSubmit, reset } = useForm({ defaultValues: initial })
  const [first, last] = useWatch({ control, name: ['first', 'last'] })
  const add = handleSubmit((values) => {
    onChange([...blocks, blockOf(values)])
    reset(initial)
  })
  const lastProblem = (text: string, values: Values): string | undefined => {
    if (text.trim() !== '' && ipFieldProblem(text.trim())) return ipFieldProblem(text.trim())
    return ipFieldProblem(values.first.trim())
      ? undefined
      : blocksProblem([...blocks, blockOf(values)])
  }
  return (
    <div className="flex flex-col gap-4">
      <h3 className="text-base font-semibold">Blocks</h3>
      <SubForm
        addLabel="Add block"
        addable={first !== ''}
        clearable={first !== '' || last !== ''}
        onAdd={() => void add()}
        onClear={() => reset(initial)}
        full={blocks.length >= ADDRESS_LOT_BLOCKS_MAX ? addressLotMessages.tooMany : undefined}
      >
        <TextField
          name="first"
          label="First address"
          control={control}
          required
          mono
          validate={(text) => ipFieldProblem(text.trim())}
        />
        <TextField
          name="last"
          label="Last address"
          description="Left out, the block has one address"
          control={control}
          mono
          validate={lastProblem}
        />
      </SubForm>
      <MiniTable
        label="Blocks"
        columns={[
          { id: 'first', header: 'First', cell: (one) => <Mono>{one.first_address}</Mono> },
          { id: 'last', header: 'Last', cell: (one) => <Mono>{one.last_address}</Mono> },
        ]}
        items={blocks}
        rowKey={({ first_address }) => first_address}
        onRemove={(block) => onChange(blocks.filter((each) => each !== block))}
      />
    </div>
  )
}
