import type { ExternalIp } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ALL_ITEMS, apiQuery, usePrefetchedQuery } from '../data/api.ts'
import { CellButton } from '../disks/cell-button.tsx'
import { Badge, type BadgeColor } from '../ui/badge.tsx'
import { Card, CardEmpty } from '../ui/card.tsx'
import { SkeletonCell, Table, type Column } from '../ui/table.tsx'
import { Description, EmptyCell, Truncate } from '../ui/text.tsx'
import { Tip, tooltip } from '../ui/tooltip.tsx'
import { ipVersion, sortExternalIps } from './external-ips.ts'
import { IpLink } from './ip-link.tsx'
import { PoolDetails } from './pool-details.tsx'
import { instanceExternalIpsQuery, useInstanceParams } from './queries.ts'
import { VersionBadge } from './version-badge.tsx'

const poolsQuery = apiQuery('ipPoolList', { query: { limit: ALL_ITEMS } })

const kindColors: Record<ExternalIp['kind'], BadgeColor> = {
  floating: 'accent',
  ephemeral: 'neutral',
  snat: 'neutral',
}

const keyOf = (ip: ExternalIp) =>
  ip.kind === 'floating' ? ip.id : `${ip.kind} ${ip.ip} ${'firstPort' in ip ? ip.firstPort : ''}`

const columns: Column<ExternalIp>[] = [
  {
    header: 'ip',
    cell: (ip) => (
      <span className="flex items-center gap-2">
        <IpLink ip={ip.ip} />
        {ip.kind === 'snat' && (
          <span {...tooltip('Outbound traffic uses this IP and port range')}>
            <Badge icon={false}>
              <span className="tabular-nums">
                {ip.firstPort}–{ip.lastPort}
              </span>
            </Badge>
          </span>
        )}
      </span>
    ),
  },
  {
    header: 'Kind',
    tip: (
      <Tip>
        A floating IP can move between instances. An ephemeral IP lives and dies with its instance.
        A SNAT IP is for outbound traffic only.
      </Tip>
    ),
    cell: ({ kind }) => (
      <Badge color={kindColors[kind]} icon={false}>
        {kind}
      </Badge>
    ),
  },
  { header: 'Version', cell: ({ ip }) => <VersionBadge version={ipVersion(ip)} /> },
  { header: 'IP pool', cell: ({ ipPoolId }) => <PoolCell id={ipPoolId} /> },
  {
    header: 'name',
    cell: (ip) =>
      ip.kind === 'floating' ? <Truncate text={ip.name} /> : <Nameless kind={ip.kind} />,
  },
  {
    header: 'description',
    cell: (ip) =>
      ip.kind === 'floating' ? <Description text={ip.description} /> : <Nameless kind={ip.kind} />,
  },
]

const Nameless = ({ kind }: { kind: 'snat' | 'ephemeral' }) => (
  <span
    {...tooltip(`${kind === 'snat' ? 'SNAT' : 'Ephemeral'} IPs don’t have names or descriptions`)}
  >
    <EmptyCell />
  </span>
)

function PoolCell({ id }: { id: string }) {
  const { data, isPending } = useQuery({ ...poolsQuery, throwOnError: false })
  const [open, setOpen] = useState(false)
  const pool = data?.items.find((each) => each.id === id)
  if (!pool) return isPending ? <SkeletonCell width="w-16" /> : <EmptyCell />
  return (
    <>
      <CellButton onClick={() => setOpen(true)}>{pool.name}</CellButton>
      {open && <PoolDetails pool={pool} onDismiss={() => setOpen(false)} />}
    </>
  )
}

export function ExternalIpsCard() {
  const ips = usePrefetchedQuery(instanceExternalIpsQuery(useInstanceParams())).data.items
  return (
    <Card title="External IPs">
      <Table
        label="External IPs"
        columns={columns}
        rows={sortExternalIps(ips)}
        rowKey={keyOf}
        actions={({ ip }) => [
          {
            label: 'Copy IP address',
            onAction: () => void navigator.clipboard.writeText(ip),
          },
        ]}
        empty={<CardEmpty title="No external IPs" body="Attach an external IP to see it here" />}
      />
    </Card>
  )
}
