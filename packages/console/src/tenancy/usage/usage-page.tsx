import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ReceiptText } from 'lucide-react'
import { ALL_ITEMS, apiQuery, invalidate } from '../../data/api.ts'
import { readingOf } from '../../data/reads.ts'
import { Menu } from '../../ui/menu.tsx'
import { Listbox } from '../../ui/form/listbox-field.tsx'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { queryOf, questionOf, type UsageSearch } from './question.ts'
import { ReportControls, ReportView } from './report-view.tsx'
import { saveLines, saveRecords } from './words.ts'

/** Value of the choice of all projects. */
const ALL = ''

/** Use of the user's silo, or of one of its projects. */
export function UsagePage() {
  const search = useSearch({ from: '/shell/silo/usage' })
  const navigate = useNavigate()
  const question = questionOf(search, 'project')
  const { of: project } = search
  const read = useQuery({
    ...apiQuery('usageView', { query: { ...queryOf(question), project } }),
    placeholderData: keepPreviousData,
  })
  const projects = useQuery(apiQuery('projectList', { query: { limit: ALL_ITEMS } }))
  const change = (some: UsageSearch) =>
    void navigate({ to: '/usage', search: { ...search, ...some }, replace: true })
  return (
    <>
      <PageHeader title="Usage" icon={<ReceiptText strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="usage"
          summary="What the silo and its projects have used in a month: hours of vCPUs and memory of running instances, of storage, and of addresses."
        />
        <RefreshButton onRefresh={() => invalidate('usageView')} />
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
              calls: 'usageRecordExport',
              onAction: () =>
                saveRecords('/x/v1/usage/records', {
                  first_day: question.firstDay,
                  last_day: question.lastDay,
                  time_zone: question.timeZone,
                  project,
                }),
            },
          ]}
        />
      </PageHeader>
      <div className="flex flex-col gap-6 pb-6">
        <ReportControls question={question} groupings={['total', 'project']} onChange={change}>
          <Listbox
            aria-label="Project"
            className="w-44"
            {...readingOf(projects)}
            options={[
              { value: ALL, label: 'All projects' },
              ...(projects.data?.items.map(({ name }) => ({ value: name, label: name })) ?? []),
              ...(project && !projects.data?.items.some(({ name }) => name === project)
                ? [{ value: project, label: project }]
                : []),
            ]}
            value={project ?? ALL}
            onChange={(name) => change({ of: name === ALL ? undefined : name })}
          />
        </ReportControls>
        <ReportView question={question} read={read} />
      </div>
    </>
  )
}
