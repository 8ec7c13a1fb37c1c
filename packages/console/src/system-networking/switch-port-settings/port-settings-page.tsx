import { ResourceHeader } from '../../page/resource-header.tsx'
import type { SwitchPortSettingsDetails } from '@steading/api/client'
import { gigabits } from '@steading/api/rules'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Cable, EthernetPort, Route, Router, Rows3, SlidersHorizontal } from 'lucide-react'
import { useWhoCan } from '../../workspace/who-can/ask-access.ts'
import { refetchShown, usePrefetchedQuery } from '../../data/api.ts'
import { useHistoryAction } from '../../workspace/history/history-action.ts'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { useStarAction } from '../../workspace/stars/stars.tsx'
import { ActionMenu } from '../../ui/action-buttons.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { DocsPopover, RefreshButton } from '../../ui/page-header.tsx'
import { CellLink } from '../../ui/link.tsx'
import { copyAction } from '../../ui/menu-action.ts'
import { PhoneDisclosure } from '../../ui/phone-disclosure.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { Tag } from '../../ui/tag.tsx'
import { Mono } from '../../ui/text.tsx'
import { detailsQuery } from './queries.ts'
import { useSettingsActions } from './settings-actions.ts'
import { type AddressValues, type PeerValues, type RouteValues, valuesOf } from './values.ts'

type Id = { id: string }

const linkColumn = {
  id: 'link',
  header: 'Link',
  width: 112,
  phone: 'second',
  labelled: true,
  cell: ({ linkName }: { linkName: string }) => linkName,
} as const
const vlan = (id: number) => (Number.isNaN(id) ? null : id)

const portColumns: Column<SwitchPortSettingsDetails['ports'][number]>[] = [
  {
    id: 'name',
    header: 'Port',
    cell: ({ id, name }) => (
      <CellLink to="/system/networking/switch-ports/$switchPort" params={{ switchPort: id }}>
        {name}
      </CellLink>
    ),
  },
  {
    id: 'switch',
    header: 'Switch',
    phone: 'second',
    labelled: true,
    cell: ({ switchSlot }) => switchSlot,
  },
]

const linkColumns: Column<SwitchPortSettingsDetails['links'][number] & Id>[] = [
  { id: 'name', header: 'Name', cell: ({ linkName }) => linkName },
  {
    id: 'speed',
    header: 'Speed',
    width: 128,
    phone: 'first',
    cell: ({ speed }) => `${gigabits(speed)} Gb/s`,
  },
  { id: 'mtu', header: 'MTU', width: 96, phone: 'second', labelled: true, cell: ({ mtu }) => mtu },
  { id: 'fec', header: 'FEC', width: 112, cell: ({ fec }) => fec ?? null },
  {
    id: 'autoneg',
    header: 'Autonegotiation',
    width: 144,
    cell: ({ autoneg }) => (autoneg ? 'yes' : 'no'),
  },
  {
    id: 'lldp',
    header: 'LLDP',
    width: 112,
    cell: ({ lldp }) => (lldp.enabled ? 'enabled' : 'disabled'),
  },
]

const addressColumns: Column<AddressValues & Id>[] = [
  { id: 'address', header: 'Address', cell: ({ address }) => <Mono>{address}</Mono> },
  {
    id: 'lot',
    header: 'Address lot',
    phone: 'second',
    labelled: true,
    cell: ({ addressLot }) => (
      <CellLink to="/system/networking/address-lots/$addressLot" params={{ addressLot }}>
        {addressLot}
      </CellLink>
    ),
  },
  linkColumn,
  { id: 'vlan', header: 'VLAN', width: 96, cell: ({ vlanId }) => vlan(vlanId) },
]

const routeColumns: Column<RouteValues & Id>[] = [
  { id: 'dst', header: 'Destination', cell: ({ dst }) => <Mono>{dst}</Mono> },
  {
    id: 'gw',
    header: 'Gateway',
    phone: 'second',
    labelled: true,
    cell: ({ gw }) => <Mono>{gw}</Mono>,
  },
  linkColumn,
  { id: 'vlan', header: 'VLAN', width: 96, cell: ({ vid }) => vlan(vid) },
]

const peerColumns: Column<PeerValues & Id>[] = [
  {
    id: 'peer',
    header: 'Peer',
    cell: ({ kind, targetAddr }) =>
      kind === 'numbered' ? <Mono>{targetAddr}</Mono> : 'Found on the link',
  },
  {
    id: 'config',
    header: 'BGP configuration',
    phone: 'second',
    labelled: true,
    cell: ({ bgpConfig }) => (
      <CellLink to="/system/networking/bgp/$bgpConfig/edit" params={{ bgpConfig }}>
        {bgpConfig}
      </CellLink>
    ),
  },
  {
    id: 'remote',
    header: 'Remote ASN',
    width: 128,
    cell: ({ remoteAsn }) => (Number.isNaN(remoteAsn) ? null : <Mono>{remoteAsn}</Mono>),
  },
  linkColumn,
  {
    id: 'key',
    header: 'MD5 key',
    width: 96,
    cell: ({ md5AuthKey }) => (md5AuthKey ? 'set' : null),
  },
]

const numbered = <Entry extends object>(entries: readonly Entry[]) =>
  entries.map((entry, index) => ({ ...entry, id: String(index) }))
const known = <Row,>(rows: Row[]) => ({ rows, error: null, refetch: async () => {} })

export function PortSettingsPage() {
  const navigate = useNavigate()
  const params = useParams({
    from: '/shell/system/port-settings-crumb/system/networking/port-settings/$portSettings',
  })
  const { data: settings } = usePrefetchedQuery(detailsQuery(params.portSettings))
  const { addresses, routes, peers } = valuesOf(settings)
  const actions = useSettingsActions({
    onDeleted: () => navigate({ to: '/system/networking/port-settings' }),
  })
  const star = useStarAction('switch_port_settings')
  const history = useHistoryAction('switch_port_settings')
  const who = useWhoCan('switch_port_settings', undefined)
  return (
    <>
      <ResourceHeader
        title={settings.name}
        icon={<SlidersHorizontal strokeWidth={1.5} aria-hidden />}
        kind="switch_port_settings"
        thing={settings}
        meta={<Tag>{settings.portConfig.geometry}</Tag>}
      >
        <DocsPopover
          topic="port settings"
          summary="Port settings configure a port of a switch: its links, addresses, routes and BGP peers. They have no effect until they are applied to a port."
        />
        <RefreshButton onRefresh={refetchShown} />
        <ActionMenu
          label="Port settings actions"
          actions={[
            copyAction('Copy ID', settings.id),
            ...star(settings),
            ...history(settings),
            ...who(settings),
            ...actions(settings, settings.ports.length > 0),
          ]}
        />
      </ResourceHeader>
      <PhoneDisclosure label="Details">
        <div className="px-(--gutter) pb-5">
          <PropertiesTable columns={2} rows={2}>
            <PropertiesTable.IdRow id={settings.id} />
            <PropertiesTable.DescriptionRow description={settings.description} />
            <PropertiesTable.DateRow label="Created" date={settings.timeCreated} />
            <PropertiesTable.DateRow label="Last Modified" date={settings.timeModified} />
          </PropertiesTable>
        </div>
      </PhoneDisclosure>
      <div className="flex flex-col gap-6 pb-6">
        <Card title="Applied to" description="The ports that have these settings">
          <LoadedTable
            what="The ports"
            label="Applied to"
            columns={portColumns}
            read={known(settings.ports)}
            empty={{
              icon: EthernetPort,
              title: 'Not applied',
              body: 'No port has these settings, so they can be deleted. Apply them on the page of a port.',
            }}
          />
        </Card>
        <Card title="Links">
          <LoadedTable
            what="The links"
            label="Links"
            columns={linkColumns}
            read={known(numbered(settings.links))}
            empty={{ icon: Cable, title: 'No links', body: 'A port needs a link to do anything.' }}
          />
        </Card>
        <Card title="Addresses">
          <LoadedTable
            what="The addresses"
            label="Addresses"
            columns={addressColumns}
            read={known(numbered(addresses))}
            empty={{
              icon: Rows3,
              title: 'No addresses',
              body: 'The port has no address of its own.',
            }}
          />
        </Card>
        <Card title="Static routes">
          <LoadedTable
            what="The routes"
            label="Static routes"
            columns={routeColumns}
            read={known(numbered(routes))}
            empty={{
              icon: Route,
              title: 'No static routes',
              body: 'Routes are learned only by BGP.',
            }}
          />
        </Card>
        <Card title="BGP peers">
          <LoadedTable
            what="The BGP peers"
            label="BGP peers"
            columns={peerColumns}
            read={known(numbered(peers))}
            empty={{
              icon: Router,
              title: 'No BGP peers',
              body: 'No routes are exchanged over the port.',
            }}
          />
        </Card>
      </div>
    </>
  )
}
