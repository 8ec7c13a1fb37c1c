import type { AddressLot, AddressLotSummary } from '@steading/api/client'
import { blockText } from '@steading/api/rules'
import type { ListColumn } from '../../page/columns.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Mono } from '../../ui/text.tsx'

/** An address lot; rows of searched lists include its contents. */
export type LotRow = AddressLot & Partial<AddressLotSummary>

export const textOfBlock = ({
  firstAddress,
  lastAddress,
}: {
  firstAddress: string
  lastAddress: string
}) => blockText({ first_address: firstAddress, last_address: lastAddress })

export const lotColumns: ListColumn<LotRow>[] = [
  'name',
  {
    id: 'kind',
    header: 'kind',
    width: 96,
    phone: 'first',
    cell: ({ kind }) => <Tag>{kind}</Tag>,
  },
  {
    id: 'blocks',
    header: 'blocks',
    phone: 'second',
    labelled: true,
    cell: ({ firstBlock, blockCount = 0 }) =>
      firstBlock ? (
        <>
          <Mono>{textOfBlock(firstBlock)}</Mono>
          {blockCount > 1 && <span className="ms-1.5 text-tertiary">+{blockCount - 1}</span>}
        </>
      ) : null,
  },
  {
    id: 'uses',
    header: 'in use by',
    width: 112,
    cell: ({ useCount }) => useCount,
  },
  'description',
  'created',
]
