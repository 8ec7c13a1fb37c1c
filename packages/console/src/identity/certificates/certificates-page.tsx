import type { Certificate } from '@steading/api/client'
import { CERTIFICATE_WARNING_DAYS, daysLeft } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Outlet } from '@tanstack/react-router'
import { FileBadge, Plus } from 'lucide-react'
import { useDeleteAction } from '../../workspace/as-code/delete-action.ts'
import { ALL_ITEMS, apiQuery, refetchShown } from '../../data/api.ts'
import { descriptionColumn } from '../../page/columns.tsx'
import { type Create, CreateButton, useCreate } from '../../page/create-action.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import type { Column } from '../../ui/column.ts'
import { DocsPopover, PageHeader, RefreshButton } from '../../ui/page-header.tsx'
import { copyAction, type MenuAction } from '../../ui/menu-action.ts'
import { StateBadge } from '../../ui/state-badge.tsx'
import { Strong } from '../../ui/text.tsx'
import { DateTime } from '../../ui/time.tsx'
import { tooltip } from '../../ui/tooltip.tsx'

/** A certificate with the contents of its file, once parsed. */
type Listed = Certificate & { read?: Contents }
type Contents = { names: string[]; end: Date; days: number } | null

/** Interval for recounting the remaining days. */
const HOUR_MS = 60 * 60 * 1000

/** Contents of the files, parsed in the browser to work with any control plane. */
function useContents(certificates: Certificate[] | undefined) {
  return useQuery({
    queryKey: ['contents of certificates', certificates?.map(({ id }) => id)],
    enabled: certificates !== undefined,
    queryFn: async () => {
      const { readLeaf } = await import('@steading/api/x509')
      const now = new Date()
      return new Map(
        certificates!.map(({ id, cert }): [string, Contents] => {
          const leaf = readLeaf(cert)
          return [id, leaf ? { ...leaf, days: daysLeft(leaf.end, now) } : null]
        }),
      )
    },
    staleTime: HOUR_MS,
    refetchInterval: HOUR_MS,
  }).data
}

function DaysLeft({ days }: { days: number }) {
  if (days < 0) return <StateBadge tone="failed">Ended</StateBadge>
  const text = days === 1 ? '1 day left' : `${days} days left`
  return (
    <StateBadge tone={days < CERTIFICATE_WARNING_DAYS ? 'attention' : 'works'}>{text}</StateBadge>
  )
}

const columns: Column<Listed>[] = [
  { id: 'name', header: 'name', width: 200, cell: ({ name }) => <Strong>{name}</Strong> },
  { ...descriptionColumn, width: 200 },
  {
    id: 'names',
    header: 'names covered',
    phone: 'second',
    cell: ({ read }) =>
      read && (
        <span className="block truncate" {...tooltip(read.names.join(', '))}>
          {read.names.join(', ')}
        </span>
      ),
  },
  {
    id: 'ends',
    header: 'ends on',
    width: 176,
    cell: ({ read }) => read && <DateTime date={read.end} />,
  },
  {
    id: 'left',
    header: 'validity',
    width: 136,
    phone: 'first',
    cell: ({ read }) => read && <DaysLeft days={read.days} />,
  },
]

const create: Create = {
  label: 'Add certificate',
  icon: Plus,
  calls: 'certificateCreate',
  path: '/certificates-new',
}

export function CertificatesPage() {
  useCreate(create)
  const { data, error, refetch } = useQuery(
    apiQuery('certificateList', { query: { limit: ALL_ITEMS } }),
  )
  const contents = useContents(data?.items)
  const rows = data?.items.map((each): Listed => ({ ...each, read: contents?.get(each.id) }))
  const actions = useCertificateActions()
  return (
    <>
      <PageHeader title="Certificates" icon={<FileBadge strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="certificates"
          summary="A certificate proves to browsers and other clients that they talk to this silo. To replace one, add the new certificate, then delete the old one. The newest valid certificate is used."
        />
        <RefreshButton onRefresh={refetchShown} />
        <CreateButton {...create} />
      </PageHeader>
      <LoadedTable
        what="The certificates"
        label="Certificates"
        columns={columns}
        read={{ rows, error, refetch }}
        actions={actions}
        empty={{
          icon: FileBadge,
          title: 'No certificates',
          body: 'Add a certificate, so that this silo can be reached over TLS',
        }}
      />
      <Outlet />
    </>
  )
}

function useCertificateActions(): (certificate: Listed) => MenuAction[] {
  const remove = useDeleteAction('certificateDelete', 'certificate')
  return ({ name, cert }) => [
    copyAction('Copy certificate', cert),
    remove(
      name,
      { path: { certificate: name } },
      { extra: 'Open connections stay open. New ones need another certificate.' },
    ),
  ]
}
