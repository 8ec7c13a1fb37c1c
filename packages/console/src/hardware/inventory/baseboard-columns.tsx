import type { Sled } from '@steading/api/client'
import type { Column } from '../../ui/column.ts'

/** A sled, in service or waiting, or a switch. */
interface OnBaseboard {
  baseboard: Pick<Sled['baseboard'], 'part' | 'revision'>
}

export const partColumn = {
  id: 'part',
  header: 'part number',
  width: 136,
  cell: ({ baseboard }) => baseboard.part,
} as const satisfies Column<OnBaseboard>

export const revisionColumn = {
  id: 'revision',
  header: 'revision',
  width: 96,
  align: 'end',
  cell: ({ baseboard }) => baseboard.revision,
} as const satisfies Column<OnBaseboard>
