import { HistoryTable } from '../../../workspace/history/history-table.tsx'
import { useInstance, useInstanceParams } from '../queries.ts'
import { TabPanel } from '../../../page/page-tabs.tsx'
import { instanceTabs } from './instance-page.tsx'

/** The audit log of the instance: operations, actors and results. */
export function HistoryTab() {
  const { id } = useInstance(useInstanceParams())
  return (
    <TabPanel of={instanceTabs} tab="History">
      <HistoryTable kind="instance" id={id} />
    </TabPanel>
  )
}
