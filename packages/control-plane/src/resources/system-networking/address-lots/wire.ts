import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import { identityOf } from '../../../kernel/identity.ts'
import type { AddressLotBlockRow } from './table.ts'

export const toWireLot = (row: Row<'address_lot'>): Wire.AddressLot => ({
  ...identityOf(row),
  kind: row.kind,
})

export const toWireBlock = ({
  id,
  first_address,
  last_address,
}: AddressLotBlockRow): Wire.AddressLotBlock => ({ id, first_address, last_address })
