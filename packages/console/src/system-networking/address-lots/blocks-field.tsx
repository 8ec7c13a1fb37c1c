import {
  ADDRESS_LOT_BLOCKS_MAX,
  addressLotMessages,
  type AddressBlock,
  blocksProblem,
  blocksWarning,
  blockText,
  ipFieldProblem,
} from '@steading/api/rules'
import { type EntryList, useListEntry, withEntry } from '../../forms/list-entry.ts'
import { SubForm } from '../../forms/sub-form.tsx'
import { Banner } from '../../ui/banner.tsx'
import { MiniTable } from '../../ui/form/mini-table.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Mono } from '../../ui/text.tsx'

export type BlockEntry = { first: string; last: string }

/** The last address of a block of one address is optional. */
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
      if (ipFieldProblem(entry.first.trim())) return undefined
      const block = blockOf(entry)
      return blocks.some((one) => blockText(one) === blockText(block))
        ? addressLotMessages.twice(blockText(block))
        : blocksProblem([...blocks, block])
    },
  },
  add: (blocks, entry) => [...blocks, blockOf(entry)],
  max: ADDRESS_LOT_BLOCKS_MAX,
  full: addressLotMessages.tooMany,
}

/** The blocks of a new lot. */
export function BlocksField() {
  const { items, entry, remove, field, subForm } = useListEntry(blockList, 'blocks', 'blockEntry')
  const overlap = blocksWarning(withEntry(blockList, items, entry))
  return (
    <div className="flex flex-col gap-4">
      <h3 className="text-base font-semibold">Blocks</h3>
      <SubForm addLabel="Add block" {...subForm}>
        <TextField {...field('first')} label="First address" required mono />
        <TextField
          {...field('last')}
          label="Last address"
          description="Leave empty for a block of one address"
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
        rowKey={blockText}
        onRemove={remove}
      />
      {overlap && (
        <Banner variant="notice" title={overlap}>
          An address in both belongs to the block that begins first.
        </Banner>
      )}
    </div>
  )
}
