import type { ExternalIp } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApiAction } from '../../../workspace/as-code/as-code.tsx'
import { usePrefetchedQuery } from '../../../data/api.ts'
import { useDetachFloatingIp } from '../../../networking/floating-ips/floating-ip-actions.tsx'
import { availableFloatingIps, floatingIpsQuery } from '../../../networking/floating-ips/queries.ts'
import { ipVersion, sortExternalIps } from '../external-ips.tsx'
import {
  instanceExternalIpsQuery,
  instanceNicsQuery,
  useInstance,
  useInstanceParams,
  type InstanceParams,
} from '../queries.ts'
import { poolsToChoose, ipPoolsQuery } from '../../../networking/pools/own-pools.ts'
import { versionsOf } from '../../../networking/network-interfaces/stacks.ts'
import { INTERNET_END } from '../../../networking/reachability/ends.ts'
import { PlannedChanges } from '../../../networking/reachability/planned-changes.tsx'
import { useReachabilityTest } from '../../../networking/reachability/test-action.ts'
import { ActionButtons } from '../../../ui/action-buttons.tsx'
import { Card, CardEmpty } from '../../../ui/card.tsx'
import { confirmAction } from '../../../ui/confirm.tsx'
import { DialogPart } from '../../../ui/dialog.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { copyAction, type MenuAction } from '../../../ui/menu-action.ts'
import { Table } from '../../../ui/table.tsx'
import { Mono, Strong } from '../../../ui/text.tsx'
import { addToast } from '../../../ui/toasts.tsx'
import { ephemeralOffer, noFloatingIp } from './ephemeral-ip.ts'
import { externalIpColumns } from './external-ip-columns.tsx'

const AttachEphemeralIpModal = lazyPart(() => import('./attach-ephemeral-ip.tsx'))
const MoveToInstanceModal = lazyPart(
  () => import('../../../networking/floating-ips/move-to-instance.tsx'),
)
const AttachFloatingIpModal = lazyPart(() => import('./attach-floating-ip.tsx'))

const keyOf = (ip: ExternalIp) =>
  ip.kind === 'floating' ? ip.id : `${ip.kind} ${ip.ip} ${'firstPort' in ip ? ip.firstPort : ''}`

/** The addresses available to attach, and why attaching is disabled. */
function useOffers(params: InstanceParams) {
  const own = usePrefetchedQuery(instanceExternalIpsQuery(params)).data.items
  const nics = usePrefetchedQuery(instanceNicsQuery(params)).data.items
  const poolsQuery = useQuery(ipPoolsQuery(params.project))
  const pools = poolsToChoose(poolsQuery)
  const floatingIps = useQuery(floatingIpsQuery(params.project)).data?.items ?? []
  // Names come from the list of floating IPs, which is refetched when one changes.
  const ips = own.map((ip) =>
    ip.kind === 'floating' ? { ...ip, ...floatingIps.find(({ id }) => id === ip.id) } : ip,
  )
  const primary = nics.find((nic) => nic.primary)
  const versions = primary ? versionsOf(primary) : []
  const available = availableFloatingIps(floatingIps, versions)
  return {
    ips,
    ephemeral: ephemeralOffer(versions, ips, pools),
    floating: { available, disabledReason: noFloatingIp(ips, available.length) },
  }
}

type Floating = Extract<ExternalIp, { kind: 'floating' }>
type Open = 'ephemeral' | 'floating' | { moving: Floating }

export function ExternalIpsCard() {
  const params = useInstanceParams()
  const instance = useInstance(params)
  const { ips, ephemeral, floating } = useOffers(params)
  const [open, setOpen] = useState<Open>()
  const actions = useExternalIpActions(params, (moving) => setOpen({ moving }))
  const close = () => setOpen(undefined)
  return (
    <Card
      title="External IPs"
      actions={
        <ActionButtons
          size="sm"
          actions={[
            {
              label: 'Attach ephemeral IP',
              calls: 'instanceEphemeralIpAttach',
              disabledReason: ephemeral.disabledReason,
              onAction: () => setOpen('ephemeral'),
            },
            {
              label: 'Attach floating IP',
              calls: 'floatingIpAttach',
              disabledReason: floating.disabledReason,
              onAction: () => setOpen('floating'),
            },
          ]}
        />
      }
    >
      <Table
        label="External IPs"
        columns={externalIpColumns}
        rows={sortExternalIps(ips)}
        rowKey={keyOf}
        actions={actions}
        empty={<CardEmpty title="No external IPs" body="Attach an external IP to see it here" />}
      />
      <DialogPart onDismiss={close}>
        {open === 'ephemeral' && (
          <AttachEphemeralIpModal params={params} offer={ephemeral} onDismiss={close} />
        )}
        {open === 'floating' && (
          <AttachFloatingIpModal
            instance={instance}
            available={floating.available}
            onDismiss={close}
          />
        )}
        {typeof open === 'object' && (
          <MoveToInstanceModal
            project={params.project}
            floatingIp={open.moving}
            instanceId={instance.id}
            onDismiss={close}
          />
        )}
      </DialogPart>
    </Card>
  )
}

function useExternalIpActions(
  { project, instance }: InstanceParams,
  onMove: (floatingIp: Floating) => void,
) {
  const detachFloating = useDetachFloatingIp()
  const testReachability = useReachabilityTest(project)
  const detachEphemeral = useApiAction('instanceEphemeralIpDetach', {
    onSuccess: () => {
      addToast('Ephemeral IP detached')
    },
  })
  const askEphemeral = (ip: string) =>
    confirmAction({
      title: 'Detach ephemeral IP',
      body: (
        <>
          Are you sure you want to detach this ephemeral IP from <Strong>{instance}</Strong>? The
          instance will no longer be reachable at <Mono>{ip}</Mono>.
        </>
      ),
      below: (
        <PlannedChanges
          change={{
            query: { project, instance },
            body: { type: 'ephemeral_ip_detach', ipVersion: ipVersion(ip) },
          }}
        />
      ),
      errorTitle: 'Error detaching ephemeral IP',
      danger: true,
      ...detachEphemeral({ path: { instance }, query: { project, ipVersion: ipVersion(ip) } }),
    })
  return (each: ExternalIp): MenuAction[] => [
    copyAction('Copy IP address', each.ip),
    ...testReachability({ from: INTERNET_END, to: each.ip }),
    ...(each.kind === 'floating'
      ? [{ label: 'Move', calls: 'floatingIpAttach', onAction: () => onMove(each) }]
      : []),
    {
      label: 'Detach',
      calls: each.kind === 'floating' ? 'floatingIpDetach' : 'instanceEphemeralIpDetach',
      disabledReason: each.kind === 'snat' && "SNAT IPs can't be detached",
      onAction: () =>
        each.kind === 'floating' ? detachFloating(each, instance) : askEphemeral(each.ip),
    },
  ]
}
