import type { Wire } from '@steading/api'
import type { Row } from '../../../kernel/kinds.ts'
import type { AddressLotBlockRow } from './table.ts'

export const toWireLot = (row: Row<'address_lot'>): Wire.AddressLot => ({
  id: row.id,
  name: row.name,
  description: row.description,
  kind: row.kind,
  time_created: row.time_created,
  time_modified: row.time_modified,
})

export const toWireBlock = ({
  id,
  first_address,
  last_address,
}: AddressLotBlockRow): Wire.AddressLotBlock => ({ id, first_address, last_address })
