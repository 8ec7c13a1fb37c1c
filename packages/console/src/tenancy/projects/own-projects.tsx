import type { UserAccess } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { Folder } from 'lucide-react'
import type { ReactNode } from 'react'
import { PathText } from '../../workspace/who-can/path-text.tsx'
import { apiQueryErrorsAllowed, refetchShown } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { ApiError } from '../../data/errors.ts'
import { useCurrentUser } from '../../data/session.ts'
import type { Column } from '../../ui/column.ts'
import { CellLink } from '../../ui/link.tsx'
import { formatNumber } from '../../ui/number.ts'
import { PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { Table } from '../../ui/table.tsx'

type Role = UserAccess['roles'][number]
type OwnProject = { name: string; roles: Role[] }
type OwnProjects = { rows: OwnProject[] | undefined; more: number }

/**
 * The projects in which the user has roles. Only users with a role on the silo may list its
 * projects.
 * @param error of the list of projects
 * @returns undefined if the list was not refused, or the user has none; without rows during the
 * read
 */
export function useOwnProjects(error: unknown): OwnProjects | undefined {
  const supported = useCapability('access')
  const { id: userId } = useCurrentUser()
  const refused = supported && error instanceof ApiError && error.statusCode === 403
  const { data, isPending } = useQuery({
    ...apiQueryErrorsAllowed('userAccessView', { path: { userId }, query: {} }),
    enabled: refused,
  })
  if (!refused) return undefined
  if (isPending) return { rows: undefined, more: 0 }
  if (data?.type !== 'success') return undefined
  const { roles, moreProjects } = data.data
  // With a role on the silo, the refusal has another reason, and the next answer may be the
  // list.
  if (roles.some(({ place }) => place.level === 'silo')) return undefined
  const named = roles.filter(({ place }) => place.level === 'project')
  const rows = [...Map.groupBy(named, ({ place }) => place.name)].map(([name, some]) => ({
    name,
    roles: some,
  }))
  return rows.length > 0 ? { rows, more: moreProjects } : undefined
}

const columns: Column<OwnProject>[] = [
  {
    id: 'name',
    header: 'name',
    cell: ({ name }) => (
      <CellLink to="/projects/$project/instances" params={{ project: name }}>
        {name}
      </CellLink>
    ),
  },
  {
    id: 'role',
    header: 'your role',
    phone: 'second',
    cell: ({ roles }) =>
      roles.map((path, index) => (
        <span key={`${path.grant} ${path.group?.id}`}>
          {index > 0 && ', '}
          <PathText path={path} />
        </span>
      )),
  },
]

/** Replaces the list of all projects for a user with roles in only some of them. */
export const OwnProjectsPage = ({ rows, more, notice }: OwnProjects & { notice: ReactNode }) => (
  <>
    <PageHeader title="Projects" icon={<Folder strokeWidth={1.5} aria-hidden />}>
      <RefreshButton onRefresh={refetchShown} />
    </PageHeader>
    {notice}
    <p className="px-(--gutter) pb-4 text-secondary">
      The projects in which you have a role. You have none on the silo, so its other projects are
      not shown.
      {more > 0 && ` You have roles in ${formatNumber(more)} more.`}
    </p>
    <Table label="Projects" columns={columns} rows={rows} rowKey={({ name }) => name} />
  </>
)
