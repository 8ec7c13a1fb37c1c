import {
  ADDRESS_LOT_BLOCKS_MAX,
  addressLotMessages,
  type AddressBlock,
  blocksProblem,
  ipFieldProblem,
} from '@steading/api/rules'
import { type EntryList, useListEntry } from '../forms/list-entry.ts'
import { SubForm } from '../forms/sub-form.tsx'
import { MiniTable } from '../ui/form/mini-table.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { Mono } from '../ui/text.tsx'

export type BlockEntry = { first: string; last: string }

/** A block of one address has no last one. */
const blockOf = ({ first, last }: BlockEntry): AddressBlock => ({
  first_address: first.trim(),
  last_address: last.trim() || first.trim(),
})

export const blockList: EntryList<AddressBlock, BlockEntry> = {
  blank: { first: '', last: '' },
  isBlank: ({ first, last }) => first.trim() === '' && last.trim() === '',
  problems: {
    first: (text) => ipFieldProblem(text.trim()),
    last(text, entry, blocks) {
      if (text.trim() !== '' && ipFieldProblem(text.trim())) return ipFieldProblem(text.trim())
      return ipFieldProblem(entry.first.trim())
        ? undefined
        : blocksProblem([...blocks, blockOf(entry)])
    },
  },
  add: (blocks, entry) => [...blocks, blockOf(entry)],
  max: ADDRESS_LOT_BLOCKS_MAX,
  full: addressLotMessages.tooMany,
}

/** The blocks of a new lot. */
export function BlocksField() {
  const { items, remove, field, subForm } = useListEntry(blockList, 'blocks', 'blockEntry')
  return (
    <div className="flex flex-col gap-4">
      <h3 className="text-base font-semibold">Blocks</h3>
      <SubForm addLabel="Add block" {...subForm}>
        <TextField {...field('first')} label="First address" required mono />
        <TextField
          {...field('last')}
          label="Last address"
          description="Left out, the block has one address"
          mono
        />
      </SubForm>
      <MiniTable
        label="Blocks"
        columns={[
          { id: 'first', header: 'First', cell: (one) => <Mono>{one.first_address}</Mono> },
          { id: 'last', header: 'Last', cell: (one) => <Mono>{one.last_address}</Mono> },
        ]}
        items={items}
        rowKey={({ first_address }) => first_address}
        onRemove={remove}
      />
    </div>
  )
}
