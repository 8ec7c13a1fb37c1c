import type { HistoryEntry } from '@steading/api/client'
import { AUDIT_KEPT_DAYS } from '@steading/api/rules'
import { History } from 'lucide-react'
import {
  nameOfUser,
  reasonOf,
  ResultBadge,
  sentenceOf,
  useHistory,
} from '../../../workspace/history/entries.tsx'
import { useInstance, useInstanceParams } from '../queries.ts'
import { LoadedTable } from '../../../page/loaded-table.tsx'
import type { Column } from '../../../ui/column.ts'
import { Pagination } from '../../../ui/pagination.tsx'
import { Truncate } from '../../../ui/text.tsx'
import { DateTime } from '../../../ui/time.tsx'
import { TabPanel } from '../../../page/page-tabs.tsx'
import { instanceTabs } from './instance-page.tsx'

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

/** The audit log of the instance: operations, actors and results. */
export function HistoryTab() {
  const { id } = useInstance(useInstanceParams())
  const { pagination, ...read } = useHistory('instance', id)
  return (
    <TabPanel of={instanceTabs} tab="History">
      <LoadedTable
        what="The history"
        label="History"
        columns={columns}
        read={read}
        empty={{
          icon: History,
          title: 'No history',
          body: `Operations on this instance appear here for ${AUDIT_KEPT_DAYS} days`,
        }}
      />
      <Pagination {...pagination} />
    </TabPanel>
  )
}
