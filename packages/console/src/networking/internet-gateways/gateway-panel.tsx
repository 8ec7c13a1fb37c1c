import type { InternetGatewayIpAddress, InternetGatewayIpPool } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { DoorOpen } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { usePrefetchedQuery, whenReread } from '../../data/api.ts'
import { PoolName } from '../pools/pool-cell.tsx'
import { QueryError } from '../../page/query-error.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { PlannedChanges } from '../reachability/planned-changes.tsx'
import { Button } from '../../ui/button.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { ExternalLink, TextLink } from '../../ui/link.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { ReadOnlySideModal } from '../../ui/side-modal.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { Mono, Strong, Truncate } from '../../ui/text.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import type { PendingAttachment } from './gateway-actions.tsx'
import {
  attachedAddressesQuery,
  attachedPoolsQuery,
  gatewayQuery,
  type GatewayParams,
  useRoutesTo,
} from './queries.ts'

const AttachForm = lazyPart(() => import('./attach-form.tsx'))

/** The panel of a gateway: its attached pools and addresses, and the routes to it. */
export function GatewayPanel() {
  const params = useParams({
    from: '/shell/projects-crumb/projects/$project/vpcs-crumb/vpcs/$vpc/tabs/internet-gateways/internet-gateways/$gateway',
  })
  const { project, vpc } = params
  const navigate = useNavigate()
  const { data: gateway } = usePrefetchedQuery(gatewayQuery(params))
  const [attaching, setAttaching] = useState<PendingAttachment['what']>()
  const close = () => setAttaching(undefined)
  return (
    <ReadOnlySideModal
      title="Internet gateway"
      subtitle={
        <>
          <DoorOpen size={16} strokeWidth={1.5} aria-hidden />
          <Truncate text={gateway.name} />
        </>
      }
      star={<ResourceButtons kind="internet_gateway" thing={gateway} />}
      onDismiss={() =>
        void navigate({
          to: '/projects/$project/vpcs/$vpc/internet-gateways',
          params: { project, vpc },
        })
      }
    >
      <PropertiesTable className="shrink-0">
        <PropertiesTable.IdRow id={gateway.id} />
        <PropertiesTable.Row label="Name">{gateway.name}</PropertiesTable.Row>
        <PropertiesTable.DescriptionRow description={gateway.description} />
      </PropertiesTable>
      <Addresses params={params} onAttach={() => setAttaching('address')} />
      <Pools params={params} onAttach={() => setAttaching('pool')} />
      <Routes params={params} />
      <DialogPart onDismiss={close}>
        {attaching && <AttachForm what={attaching} params={params} onDismiss={close} />}
      </DialogPart>
    </ReadOnlySideModal>
  )
}

function Section({
  title,
  action,
  children,
}: {
  title: string
  action?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <header className="flex min-h-7 items-center justify-between gap-2">
        <h3 id={id} className="font-medium">
          {title}
        </h3>
        {action}
      </header>
      {children}
    </section>
  )
}

const Nothing = ({ children }: { children: ReactNode }) => (
  <p className="text-secondary">{children}</p>
)

type PartProps = { params: GatewayParams; onAttach: () => void }
type Read = {
  data: { items: unknown[] } | undefined
  error: unknown
  refetch: () => Promise<unknown>
}

/** Placeholder while loading, or the error. */
const Unread = ({ data, error, refetch }: Read) =>
  error && !data ? (
    <div className="[--gutter:0px]">
      <QueryError error={error} onRetry={refetch} />
    </div>
  ) : (
    <SkeletonCell width="w-56" />
  )

/** The consequence of detaching, if instances send from the gateway. */
const stopsSending =
  'Routes still lead to the gateway, but instances that send from it can no longer reach the internet, unless another attached pool or address has their address.'

function useDetach() {
  const pool = useApiAction('internetGatewayIpPoolDelete', { onSuccess: whenReread })
  const address = useApiAction('internetGatewayIpAddressDelete', { onSuccess: whenReread })
  return (what: 'pool' | 'address', { id, name }: { id: string; name: string }) => {
    // The confirmation explains the cascade.
    const query = { cascade: true }
    const { action, ...rest } =
      what === 'pool'
        ? pool({ path: { pool: id }, query })
        : address({ path: { address: id }, query })
    confirmAction({
      title: `Detach IP ${what}`,
      body: (
        <>
          Are you sure you want to detach <Strong>{name}</Strong>? {stopsSending}
        </>
      ),
      below: (
        <PlannedChanges
          change={{
            body:
              what === 'pool'
                ? { type: 'internet_gateway_ip_pool_delete', pool: id }
                : { type: 'internet_gateway_ip_address_delete', address: id },
          }}
        />
      ),
      errorTitle: `Could not detach IP ${what}`,
      danger: true,
      ...rest,
      action: async () => {
        await action()
        doneToast(`IP ${what}`, name, 'detached')
      },
    })
  }
}

function Addresses({ params, onAttach }: PartProps) {
  const read = useQuery(attachedAddressesQuery(params))
  const pools = useQuery(attachedPoolsQuery(params)).data?.items
  const addresses = read.data?.items
  return (
    <Section
      title={`Internet gateway IP address${addresses && addresses.length > 1 ? 'es' : ''}`}
      action={
        <Button size="sm" calls="internetGatewayIpAddressCreate" sends onClick={onAttach}>
          Attach IP address
        </Button>
      }
    >
      {!addresses ? (
        <Unread {...read} />
      ) : addresses.length > 0 ? (
        addresses.map((address) => <Address key={address.id} address={address} />)
      ) : (
        <Nothing>
          This internet gateway does not have any IP addresses attached.{' '}
          {pools?.length
            ? 'Instances send with their addresses from the attached IP pool.'
            : 'Attach an IP pool or an IP address, so that instances can reach the internet through it.'}
        </Nothing>
      )}
    </Section>
  )
}

function Address({ address }: { address: InternetGatewayIpAddress }) {
  const detach = useDetach()
  return (
    <div className="flex flex-col gap-1.5">
      <PropertiesTable>
        <PropertiesTable.Row label="Name">{address.name}</PropertiesTable.Row>
        <PropertiesTable.DescriptionRow description={address.description} />
        <PropertiesTable.Row label="IP Address">
          <span className="flex min-w-0 items-center gap-1">
            <Mono>
              <ExternalLink href={addressUrl(address.address)}>{address.address}</ExternalLink>
            </Mono>
            <CopyButton text={address.address} />
          </span>
        </PropertiesTable.Row>
      </PropertiesTable>
      <DetachButton
        label={`Detach ${address.name}`}
        calls="internetGatewayIpAddressDelete"
        onDetach={() => detach('address', address)}
      />
    </div>
  )
}

const addressUrl = (address: string) => `http://${address.includes(':') ? `[${address}]` : address}`

function DetachButton({
  label,
  calls,
  onDetach,
}: {
  label: string
  calls: string
  onDetach: () => void
}) {
  return (
    <Button
      size="sm"
      className="self-end"
      calls={calls}
      sends
      aria-label={label}
      onClick={onDetach}
    >
      Detach
    </Button>
  )
}

function Pools({ params, onAttach }: PartProps) {
  const read = useQuery(attachedPoolsQuery(params))
  const pools = read.data?.items
  return (
    <Section
      title={`Internet gateway IP pool${pools && pools.length > 1 ? 's' : ''}`}
      action={
        <Button size="sm" calls="internetGatewayIpPoolCreate" sends onClick={onAttach}>
          Attach IP pool
        </Button>
      }
    >
      {!pools ? (
        <Unread {...read} />
      ) : pools.length > 0 ? (
        pools.map((pool) => <Pool key={pool.id} pool={pool} />)
      ) : (
        <Nothing>This internet gateway does not have any IP pools attached.</Nothing>
      )}
    </Section>
  )
}

function Pool({ pool }: { pool: InternetGatewayIpPool }) {
  const detach = useDetach()
  return (
    <div className="flex flex-col gap-1.5">
      <PropertiesTable>
        <PropertiesTable.Row label="Name">{pool.name}</PropertiesTable.Row>
        <PropertiesTable.DescriptionRow description={pool.description} />
        <PropertiesTable.Row label="IP Pool Name">
          <PoolName id={pool.ipPoolId} />
        </PropertiesTable.Row>
      </PropertiesTable>
      <DetachButton
        label={`Detach ${pool.name}`}
        calls="internetGatewayIpPoolDelete"
        onDetach={() => detach('pool', pool)}
      />
    </div>
  )
}

function Routes({ params }: { params: GatewayParams }) {
  const routes = useRoutesTo(params)
  const { project, vpc } = params
  return (
    <Section title="Routes targeting this gateway">
      {!routes ? (
        <SkeletonCell width="w-56" />
      ) : routes.length === 0 ? (
        <Nothing>No VPC router routes target this gateway.</Nothing>
      ) : (
        <table
          aria-label="Routes targeting this gateway"
          className="w-full overflow-hidden rounded-card border bg-raised text-start"
        >
          <thead>
            <tr className="label text-tertiary">
              <th scope="col" className="px-3 py-1.5 text-start font-medium">
                Router
              </th>
              <th scope="col" className="px-3 py-1.5 text-start font-medium">
                Route
              </th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {routes.map(({ id, router, route }) => (
              <tr key={id}>
                <td className="px-3 py-2">
                  <TextLink
                    to="/projects/$project/vpcs/$vpc/routers/$router"
                    params={{ project, vpc, router }}
                  >
                    {router}
                  </TextLink>
                </td>
                <td className="px-3 py-2">{route.name}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Section>
  )
}
