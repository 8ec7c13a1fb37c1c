import type { Issue } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { refetchShown } from '../../data/api.ts'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { RoleNotice } from '../../page/load-error.tsx'
import { BriefingPart } from '../briefings/briefing-part.tsx'
import { issuesQuery, severityTones } from './open-issues.ts'
import { Banner } from '../../ui/banner.tsx'
import type { Column } from '../../ui/column.ts'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { CellLink, TextLink } from '../../ui/link.tsx'
import { StateBadge } from '../../ui/state-badge.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { linkTo } from '../../data/addresses.ts'

const columns: Column<Issue>[] = [
  {
    id: 'issue',
    header: 'issue',
    cell: ({ sentence, path }) => <CellLink {...linkTo(path)}>{sentence}</CellLink>,
  },
  {
    id: 'severity',
    header: 'severity',
    width: 128,
    phone: 'second',
    cell: ({ severity }) => <StateBadge tone={severityTones[severity]}>{severity}</StateBadge>,
  },
  {
    id: 'began',
    header: 'began',
    width: 152,
    phone: 'second',
    labelled: true,
    cell: ({ timeBegan }) =>
      timeBegan ? <TimeAgo date={timeBegan} caption="Began" ago /> : <EmptyCell />,
  },
  {
    id: 'next',
    header: 'what to do',
    width: 208,
    phone: 'second',
    cell: ({ next, path }) =>
      next ? <TextLink {...linkTo(path)}>{next}</TextLink> : <EmptyCell />,
  },
]

/** The operators' first page: open issues. */
export function IssuesPage() {
  const { data, error, refetch } = useQuery(issuesQuery)
  return (
    <>
      <PageHeader title="Issues" icon={<TriangleAlert strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="issues"
          summary="Issues that need the attention of operators now. An issue is listed for as long as it lasts, with a link to the place where it is resolved."
        />
        <RefreshButton onRefresh={refetchShown} />
      </PageHeader>
      <BriefingPart of="fleet" isEmpty={data?.items.length === 0} />
      {error && !data && <RoleNotice error={error} />}
      {data?.more && (
        <div className="px-(--gutter) pb-4">
          <Banner>Some lists are truncated.</Banner>
        </div>
      )}
      <LoadedTable
        what="The issues"
        label="Issues"
        columns={columns}
        read={{ rows: data?.items, error, refetch }}
        empty={{
          icon: CircleCheck,
          title: 'All is well',
          body: 'There are no open issues.',
        }}
      />
    </>
  )
}
