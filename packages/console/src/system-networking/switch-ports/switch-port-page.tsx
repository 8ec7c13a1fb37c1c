import { ResourceHeader } from '../../page/resource-header.tsx'
import type { LldpNeighbor, SwitchPortDetails } from '@steading/api/client'
import { gigabits } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { EthernetPort, Network, Unplug } from 'lucide-react'
import { useWhoCan } from '../../workspace/who-can/ask-access.ts'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { detailsQuery } from '../switch-port-settings/queries.ts'
import { ActionButtons, ActionMenu } from '../../ui/action-buttons.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { DocsPopover, RefreshButton } from '../../ui/page-header.tsx'
import { TextLink } from '../../ui/link.tsx'
import { copyAction } from '../../ui/menu-action.ts'
import { formatNumber } from '../../ui/number.ts'
import { PhoneDisclosure } from '../../ui/phone-disclosure.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { Mono } from '../../ui/text.tsx'
import { TimeAgo } from '../../ui/time.tsx'
import { LinkStateBadge } from '../external-connectivity/state-badges.tsx'
import { usePortActions } from './port-actions.tsx'
import { LINK_POLL_MS, neighborsQuery, portQuery, statusQuery } from './queries.ts'

type Link = SwitchPortDetails['links'][number] & { id: string }

const linkColumns: Column<Link>[] = [
  { id: 'name', header: 'Link', cell: ({ linkName }) => linkName },
  {
    id: 'state',
    header: 'State',
    width: 144,
    phone: 'first',
    cell: ({ state }) => <LinkStateBadge state={state} />,
  },
  {
    id: 'since',
    header: 'Since',
    width: 160,
    cell: ({ timeChanged }) => <TimeAgo date={timeChanged} />,
  },
  {
    id: 'speed',
    header: 'Speed',
    width: 128,
    phone: 'second',
    cell: ({ speed }) => `${gigabits(speed)} Gb/s`,
  },
]

const neighborColumns: Column<LldpNeighbor & { id: string }>[] = [
  { id: 'system', header: 'System', cell: ({ systemName }) => systemName ?? null },
  {
    id: 'link',
    header: 'Its link',
    phone: 'second',
    labelled: true,
    cell: ({ linkName }) => linkName,
  },
  {
    id: 'chassis',
    header: 'Chassis',
    width: 176,
    phone: 'second',
    labelled: true,
    cell: ({ chassisId }) => <Mono>{chassisId}</Mono>,
  },
  {
    id: 'address',
    header: 'Management address',
    width: 176,
    cell: ({ managementIp }) => {
      const [first] = managementIp
      return first && 'ipAddr' in first.addr ? <Mono>{first.addr.ipAddr}</Mono> : null
    },
  },
  {
    id: 'seen',
    header: 'Last seen',
    width: 144,
    cell: ({ lastSeen }) => <TimeAgo date={lastSeen} />,
  },
]

/** Measurements of a port's module; the API's response is free-form. */
type Monitors = {
  monitors?: {
    temperatureCelsius?: number
    receiverPowerMw?: number
    transmitterPowerMw?: number
  }
}

const measured = (value: number | undefined, unit: string) =>
  value === undefined ? null : `${formatNumber(value)} ${unit}`

export function SwitchPortPage() {
  const { switchPort } = useParams({
    from: '/shell/system/switch-ports-crumb/system/networking/switch-ports/$switchPort',
  })
  const refetchInterval = LINK_POLL_MS
  const { data: port } = usePrefetchedQuery(portQuery(switchPort))
  const polled = useQuery({ ...portQuery(switchPort), refetchInterval })
  const status = useQuery({ ...statusQuery(port), refetchInterval })
  const neighbors = useQuery({ ...neighborsQuery(port), refetchInterval })
  const actions = usePortActions()
  const star = useStarAction('switch_port')
  const history = useHistoryAction('switch_port')
  const who = useWhoCan('switch_port', undefined)
  const { monitors } = (status.data ?? {}) as Monitors
  const isConfigured = port.portSettingsName !== null
  return (
    <>
      <ResourceHeader
        title={port.name}
        icon={<EthernetPort strokeWidth={1.5} aria-hidden />}
        kind="switch_port"
        thing={port}
      >
        <DocsPopover
          topic="switch ports"
          summary="A port connects a switch of the rack to a router. Its configuration comes from the port settings applied to it."
        />
        <RefreshButton onRefresh={refetchShown} />
        <ActionMenu
          label="Switch port actions"
          actions={[
            copyAction('Copy ID', port.id),
            ...star(port),
            ...history(port),
            ...who(port),
            ...actions(port),
          ]}
        />
      </ResourceHeader>
      <PhoneDisclosure label="Details">
        <div className="px-(--gutter) pb-5">
          <PropertiesTable columns={2} rows={3}>
            <PropertiesTable.IdRow id={port.id} />
            <PropertiesTable.Row label="Switch">{port.switchSlot}</PropertiesTable.Row>
            <PropertiesTable.IdRow label="Rack ID" id={port.rackId} />
            <PropertiesTable.Row label="Port settings">
              {port.portSettingsName && (
                <TextLink
                  to="/system/networking/port-settings/$portSettings"
                  params={{ portSettings: port.portSettingsName }}
                >
                  {port.portSettingsName}
                </TextLink>
              )}
            </PropertiesTable.Row>
            <PropertiesTable.Row label="Applied">
              {port.timeApplied ? <TimeAgo date={port.timeApplied} /> : null}
            </PropertiesTable.Row>
            <PropertiesTable.Row label="Temperature">
              {measured(monitors?.temperatureCelsius, '°C')}
            </PropertiesTable.Row>
          </PropertiesTable>
        </div>
      </PhoneDisclosure>
      <div className="flex flex-col gap-6 pb-6">
        <Card
          title="Links"
          description={
            monitors
              ? `Receives ${measured(monitors.receiverPowerMw, 'mW')}, sends ${measured(monitors.transmitterPowerMw, 'mW')}`
              : 'As reported by the switch'
          }
          actions={<ActionButtons actions={actions(port)} />}
        >
          <LoadedTable
            what="The links"
            label="Links"
            columns={linkColumns}
            read={{
              rows: port.links.map((link) => ({ ...link, id: link.linkName })),
              error: polled.error,
              refetch: polled.refetch,
            }}
            skeletonRows={1}
            empty={{
              icon: Unplug,
              title: isConfigured ? 'No links' : 'Not configured',
              body: isConfigured
                ? 'The settings of the port declare no link.'
                : 'The port does nothing until port settings are applied to it.',
            }}
          />
        </Card>
        {port.links.length > 0 && <LldpCard port={port} />}
        <Card title="Neighbors" description="Devices at the other end, as announced by LLDP">
          <LoadedTable
            what="The neighbors"
            label="Neighbors"
            columns={neighborColumns}
            read={{
              rows: neighbors.data?.items.map((one) => ({
                ...one,
                id: `${one.localPort} ${one.chassisId} ${one.linkName}`,
              })),
              error: neighbors.error,
              refetch: neighbors.refetch,
            }}
            skeletonRows={1}
            empty={{
              icon: Network,
              title: 'No neighbors',
              body: 'No device has announced itself. Links must be up, and LLDP enabled at both ends.',
            }}
          />
        </Card>
      </div>
      <Outlet />
    </>
  )
}

function LldpCard({ port }: { port: SwitchPortDetails }) {
  const navigate = useNavigate()
  // The settings still exist after they are cleared from the port, so this read does not fail.
  const settings = useQuery(detailsQuery(port.portSettingsId ?? ''))
  const config = settings.data?.links[0]?.lldp
  if (!config) return null
  return (
    <Card
      title="LLDP"
      description="Data the port announces to its neighbor"
      actions={
        <ActionButtons
          actions={[
            {
              label: 'Edit LLDP',
              calls: 'networkingSwitchPortLldpConfigUpdate',
              local: true,
              onAction: () =>
                void navigate({
                  to: '/system/networking/switch-ports/$switchPort/lldp',
                  params: { switchPort: port.id },
                }),
            },
          ]}
        />
      }
    >
      <CardBody>
        <PropertiesTable columns={2}>
          <PropertiesTable.Row label="LLDP">
            {config.enabled ? 'Enabled' : 'Disabled'}
          </PropertiesTable.Row>
          <PropertiesTable.Row label="System name">{config.systemName}</PropertiesTable.Row>
          <PropertiesTable.Row label="Link name">{config.linkName}</PropertiesTable.Row>
          <PropertiesTable.Row label="Management IP">{config.managementIp}</PropertiesTable.Row>
        </PropertiesTable>
      </CardBody>
    </Card>
  )
}
