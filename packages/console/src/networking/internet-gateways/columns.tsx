import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PoolCell } from '../pools/pool-cell.tsx'
import type { ListColumn } from '../../page/columns.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CellLink } from '../../ui/link.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { EmptyCell, Truncate } from '../../ui/text.tsx'
import { HelpTip } from '../../ui/tooltip.tsx'
import type { VpcParams } from '../vpcs/queries.ts'
import {
  type GatewayRow,
  attachedAddressesQuery,
  attachedPoolsQuery,
  type GatewayParams,
  useRoutesTo,
} from './queries.ts'

/** The number of items besides the one shown in a cell. */
const More = ({ count }: { count: number }) =>
  count > 0 && <span className="shrink-0 text-xs text-tertiary">+{count}</span>

const First = ({ children, count }: { children: ReactNode; count: number }) => (
  <span className="flex min-w-0 items-center gap-1.5">
    {children}
    <More count={count - 1} />
  </span>
)

function PoolsCell({ params, row }: { params: GatewayParams; row: GatewayRow }) {
  const read = useQuery({ ...attachedPoolsQuery(params), enabled: row.ipPools === undefined })
  const pools = row.ipPools ?? read.data?.items
  if (!pools) return read.isError ? <EmptyCell /> : <SkeletonCell />
  const [first] = pools
  return first ? (
    <First count={pools.length}>
      <PoolCell id={first.ipPoolId} />
    </First>
  ) : (
    <EmptyCell />
  )
}

function AddressesCell({ params, row }: { params: GatewayParams; row: GatewayRow }) {
  const read = useQuery({
    ...attachedAddressesQuery(params),
    enabled: row.ipAddresses === undefined,
  })
  const addresses = row.ipAddresses ?? read.data?.items
  if (!addresses) return read.isError ? <EmptyCell /> : <SkeletonCell />
  const [first] = addresses
  return first ? (
    <First count={addresses.length}>
      <span className="min-w-0 font-mono text-xs tracking-tight">
        <Truncate text={first.address} />
      </span>
      <CopyButton text={first.address} />
    </First>
  ) : (
    <EmptyCell />
  )
}

/** The number of routes to a gateway, linked to the gateway's panel, which lists them. */
function RoutesLink({ params, count }: { params: GatewayParams; count: number }) {
  if (count === 0) return <EmptyCell />
  return (
    <CellLink to={gatewayPath} params={params}>
      {count}
    </CellLink>
  )
}

function CountedRoutes({ params }: { params: GatewayParams }) {
  const routes = useRoutesTo(params)
  return routes ? <RoutesLink params={params} count={routes.length} /> : <SkeletonCell />
}

const gatewayPath = '/projects/$project/vpcs/$vpc/internet-gateways/$gateway'

export const gatewayColumns = (params: VpcParams): ListColumn<GatewayRow>[] => {
  const of = ({ name }: GatewayRow) => ({ ...params, gateway: name })
  return [
    'name',
    'description',
    {
      id: 'ip-pool',
      header: 'Attached IP Pool',
      width: 168,
      phone: 'second',
      labelled: true,
      cell: (row) => <PoolsCell params={of(row)} row={row} />,
    },
    {
      id: 'ip-address',
      header: 'Attached IP Address',
      tip: <HelpTip>Without an attached address, an address of the attached pool is used.</HelpTip>,
      width: 200,
      phone: 'second',
      labelled: true,
      cell: (row) => <AddressesCell params={of(row)} row={row} />,
    },
    {
      id: 'routes',
      header: 'Routes',
      width: 96,
      cell: (row) =>
        row.routeCount === undefined ? (
          <CountedRoutes params={of(row)} />
        ) : (
          <RoutesLink params={of(row)} count={row.routeCount} />
        ),
    },
    'created',
  ]
}
