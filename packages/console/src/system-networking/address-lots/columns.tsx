import type { AddressLot, AddressLotSummary } from '@steading/api/client'
import { blockText } from '@steading/api/rules'
import { createdColumn, descriptionColumn } from '../../page/columns.tsx'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
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

export const lotColumns: Column<LotRow>[] = [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => (
      <CellLink to="/system/networking/address-lots/$addressLot" params={{ addressLot: name }}>
        {name}
      </CellLink>
    ),
  },
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
  descriptionColumn,
  createdColumn,
]
