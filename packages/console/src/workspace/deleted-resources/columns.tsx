import type { DeletedResource } from '@steading/api/client'
import { kindLabels } from '@steading/api/rules'
import type { ListColumn } from '../../page/columns.tsx'
import { capitalized } from '../../ui/list-controls/count-text.ts'
import { Size, Truncate } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'

export const deletedColumns: ListColumn<DeletedResource>[] = [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name, inside }) => (
      <Truncate
        text={inside.length > 0 ? `${name} (${inside.join(', ')})` : name}
        className="font-medium"
      />
    ),
  },
  {
    id: 'kind',
    header: 'type',
    width: 152,
    phone: 'first',
    cell: ({ kind }) => capitalized(kindLabels(kind)),
  },
  {
    id: 'size',
    header: 'size',
    sort: 'size',
    align: 'end',
    width: 96,
    phone: 'second',
    cell: ({ size }) => (size > 0 ? <Size bytes={size} /> : null),
  },
  {
    id: 'user',
    header: 'deleted by',
    sort: 'user_name',
    width: 160,
    phone: 'second',
    labelled: true,
    cell: ({ userName }) => <Truncate text={userName} />,
  },
  {
    id: 'deleted',
    header: 'deleted',
    sort: 'time_deleted',
    width: 176,
    phone: 'second',
    labelled: true,
    cell: ({ timeDeleted }) => <DateTime date={timeDeleted} />,
  },
  {
    id: 'expires',
    header: 'restorable until',
    sort: 'time_expires',
    width: 176,
    phone: 'second',
    labelled: true,
    cell: ({ timeExpires }) => <DateTime date={timeExpires} />,
  },
  { id: 'description', sort: undefined, optional: true },
]
