import type { UsageReport } from '@steading/api/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ReceiptText } from 'lucide-react'
import { ALL_ITEMS, apiQuery, refetchShown } from '../../data/api.ts'
import { readingOf } from '../../data/reads.ts'
import { Menu } from '../../ui/menu.tsx'
import { Listbox } from '../../ui/form/listbox-field.tsx'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { PriceListCard } from './price-list-card.tsx'
import { queryOf, questionOf } from './question.ts'
import { ReportControls, ReportView } from './report-view.tsx'
import { saveLines, saveRecords } from './labels.ts'

type ReportQuery = ReturnType<typeof queryOf>
type ReportRead = { queryKey: readonly unknown[]; queryFn: () => Promise<UsageReport> }

/** Value of the choice of all places. */
const ALL = ''

/** Use of the fleet, or of one of its silos, and the prices. */
const fleet = {
  path: '/system/usage',
  from: '/shell/system/system/usage',
  places: { label: 'Silo', all: 'All silos', list: 'siloList' },
  groupings: ['total', 'silo', 'project'],
  read: (query: ReportQuery, silo?: string): ReportRead =>
    apiQuery('systemUsageView', { query: { ...query, silo } }),
  records: { calls: 'systemUsageRecordExport', path: '/x/v1/system/usage/records', place: 'silo' },
  summary:
    'What silos and their projects have used in a month, and what that costs: hours of vCPUs and memory of running instances, of storage, and of addresses.',
} as const

/** Use of the user's silo, or of one of its projects. */
const silo = {
  path: '/usage',
  from: '/shell/silo/usage',
  places: { label: 'Project', all: 'All projects', list: 'projectList' },
  groupings: ['total', 'project'],
  read: (query: ReportQuery, project?: string): ReportRead =>
    apiQuery('usageView', { query: { ...query, project } }),
  records: { calls: 'usageRecordExport', path: '/x/v1/usage/records', place: 'project' },
  summary:
    'What the silo and its projects have used in a month: hours of vCPUs and memory of running instances, of storage, and of addresses.',
} as const

function ReportPage({ scope }: { scope: typeof fleet | typeof silo }) {
  const { path, places, groupings, records } = scope
  const search = useSearch({ from: scope.from })
  const navigate = useNavigate()
  const question = questionOf(search, groupings[1])
  const { of: place } = search
  const read = useQuery({
    ...scope.read(queryOf(question), place),
    placeholderData: keepPreviousData,
  })
  const listed = useQuery(apiQuery(places.list, { query: { limit: ALL_ITEMS } }))
  const names = listed.data?.items.map(({ name }) => name) ?? []
  const change = (some: typeof search) =>
    void navigate({ to: path, search: { ...search, ...some }, replace: true })
  return (
    <>
      <PageHeader title="Usage" icon={<ReceiptText strokeWidth={1.5} aria-hidden />}>
        <DocsPopover topic="usage" summary={scope.summary} />
        <RefreshButton onRefresh={refetchShown} />
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
              calls: records.calls,
              onAction: () =>
                saveRecords(records.path, {
                  first_day: question.firstDay,
                  last_day: question.lastDay,
                  time_zone: question.timeZone,
                  [records.place]: place,
                }),
            },
          ]}
        />
      </PageHeader>
      <div className="flex flex-col gap-6 pb-6">
        <ReportControls question={question} groupings={groupings} onChange={change}>
          <Listbox
            aria-label={places.label}
            className="sm:w-44"
            {...readingOf(listed)}
            options={[
              { value: ALL, label: places.all },
              ...(place && !names.includes(place) ? [place, ...names] : names).map((name) => ({
                value: name,
                label: name,
              })),
            ]}
            value={place ?? ALL}
            onChange={(name) => change({ of: name === ALL ? undefined : name })}
          />
        </ReportControls>
        <ReportView question={question} read={read} />
        {scope === fleet && <PriceListCard />}
      </div>
    </>
  )
}

export const UsagePage = () => <ReportPage scope={silo} />
export const SystemUsagePage = () => <ReportPage scope={fleet} />
