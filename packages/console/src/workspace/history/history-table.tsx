import type { HistoryEntry } from '@steading/api/client'
import { AUDIT_KEPT_DAYS, type HistoryKind, kindTable } from '@steading/api/rules'
import { History } from 'lucide-react'
import { LoadedTable } from '../../page/loaded-table.tsx'
import type { Column } from '../../ui/column.ts'
import { Pagination } from '../../ui/pagination.tsx'
import { Truncate } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import { nameOfUser, reasonOf, ResultBadge, sentenceOf, useHistory } from './entries.tsx'

const columns: Column<HistoryEntry>[] = [
  { id: 'operation', header: 'operation', cell: (entry) => <Truncate text={sentenceOf(entry)} /> },
  {
    id: 'result',
    header: 'result',
    width: 128,
    phone: 'first',
    cell: ({ result }) => <ResultBadge result={result} />,
  },
  {
    id: 'details',
    header: 'details',
    phone: 'second',
    cell: ({ result }) => {
      const reason = reasonOf(result)
      return reason && <Truncate text={reason} />
    },
  },
  {
    id: 'user',
    header: 'user',
    width: 152,
    phone: 'second',
    cell: nameOfUser,
  },
  {
    id: 'time',
    header: 'time',
    width: 192,
    phone: 'second',
    cell: ({ timeCompleted }) => <DateTime date={timeCompleted} />,
  },
]

/** The audit log of a resource, for its page: operations, actors and results. */
export function HistoryTable({ kind, id }: { kind: HistoryKind; id: string }) {
  const { pagination, ...read } = useHistory(kind, id)
  return (
    <>
      <LoadedTable
        what="The history"
        label="History"
        columns={columns}
        read={read}
        empty={{
          icon: History,
          title: 'No history',
          body: `Operations on this ${kindTable[kind].words} appear here for ${AUDIT_KEPT_DAYS} days`,
        }}
      />
      <Pagination {...pagination} />
    </>
  )
}
