import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ReceiptText } from 'lucide-react'
import { ALL_ITEMS, apiQuery, invalidate } from '../../data/api.ts'
import { readingOf } from '../../data/reads.ts'
import { Menu } from '../../ui/menu.tsx'
import { Listbox } from '../../ui/form/listbox-field.tsx'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { PriceListCard } from './price-list-card.tsx'
import { queryOf, questionOf, type UsageSearch } from './question.ts'
import { ReportControls, ReportView } from './report-view.tsx'
import { saveLines, saveRecords } from './words.ts'

/** Value of the choice of all silos. */
const ALL = ''

/** Use of the fleet, or of one of its silos, and the prices. */
export function SystemUsagePage() {
  const search = useSearch({ from: '/shell/system/system/usage' })
  const navigate = useNavigate()
  const question = questionOf(search, 'silo')
  const { of: silo } = search
  const read = useQuery({
    ...apiQuery('systemUsageView', { query: { ...queryOf(question), silo } }),
    placeholderData: keepPreviousData,
  })
  const silos = useQuery(apiQuery('siloList', { query: { limit: ALL_ITEMS } }))
  const change = (some: UsageSearch) =>
    void navigate({ to: '/system/usage', search: { ...search, ...some }, replace: true })
  return (
    <>
      <PageHeader title="Usage" icon={<ReceiptText strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="usage"
          summary="What silos and their projects have used in a month, and what that costs: hours of vCPUs and memory of running instances, of storage, and of addresses."
        />
        <RefreshButton onRefresh={() => invalidate('systemUsageView', 'priceListView')} />
        <Menu
          label="Usage actions"
          items={[
            {
              label: 'Export report as CSV',
              disabledReason: !read.data && 'The report is not loaded',
              onAction: () => saveLines(read.data!, question.tagKey),
              local: true,
            },
            {
              label: 'Export records as CSV',
              calls: 'systemUsageRecordExport',
              onAction: () =>
                saveRecords('/x/v1/system/usage/records', {
                  first_day: question.firstDay,
                  last_day: question.lastDay,
                  time_zone: question.timeZone,
                  silo,
                }),
            },
          ]}
        />
      </PageHeader>
      <div className="flex flex-col gap-6 pb-6">
        <ReportControls
          question={question}
          groupings={['total', 'silo', 'project']}
          onChange={change}
        >
          <Listbox
            aria-label="Silo"
            className="w-44"
            {...readingOf(silos)}
            options={[
              { value: ALL, label: 'All silos' },
              ...(silos.data?.items.map(({ name }) => ({ value: name, label: name })) ?? []),
              ...(silo && !silos.data?.items.some(({ name }) => name === silo)
                ? [{ value: silo, label: silo }]
                : []),
            ]}
            value={silo ?? ALL}
            onChange={(name) => change({ of: name === ALL ? undefined : name })}
          />
        </ReportControls>
        <ReportView question={question} read={read} />
        <PriceListCard />
      </div>
    </>
  )
}
