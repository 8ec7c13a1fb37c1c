import type { BgpPeerStatus, Simulation, SwitchPort } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { ALL_ITEMS, apiQuery, whenReread } from '../../data/api.ts'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { confirmAction } from '../../ui/confirm.tsx'
import { TextLink } from '../../ui/link.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { StateBadge } from '../../ui/state-badge.tsx'
import { Strong } from '../../ui/text.tsx'

const simulationQuery = apiQuery('simulationView', {})
const peersQuery = apiQuery('networkingBgpStatus', {})
const portsQuery = apiQuery('networkingSwitchPortList', { query: { limit: ALL_ITEMS } })

/** A part that can be made to fail. */
type Part = { key: string; what: string; works: boolean; failed: string } & (
  | { kind: 'supply'; slot: number }
  | { kind: 'router' | 'cable'; switchSlot: BgpPeerStatus['switch']; end: string }
)

/** One end of the uplinks: the cable of a port, or a router. */
function uplinkOf(
  { outages }: Simulation,
  kind: 'router' | 'cable',
  switchSlot: BgpPeerStatus['switch'],
  end: string,
): Part {
  const [what, failed] =
    kind === 'cable'
      ? [`Cable of ${end} at ${switchSlot}`, 'Pulled out']
      : [`Router ${end} at ${switchSlot}`, 'Silent']
  const works = !outages.some((outage) => outage.switchSlot === switchSlot && outage.end === end)
  return { kind, key: `${switchSlot} ${end}`, what, works, failed, switchSlot, end }
}

/** The parts of the rack. Ports without settings are left out: nothing depends on their cables. */
const partsOf = (
  simulation: Simulation,
  peers: readonly BgpPeerStatus[],
  ports: readonly SwitchPort[],
): Part[] => [
  ...simulation.powerSupplies.map(({ slot, present }) => ({
    kind: 'supply' as const,
    key: `supply ${slot}`,
    what: `Power supply ${slot}`,
    works: present,
    failed: 'Taken out',
    slot,
  })),
  ...ports.flatMap(({ portSettingsId, switchSlot, portName }) =>
    portSettingsId ? [uplinkOf(simulation, 'cable', switchSlot, portName)] : [],
  ),
  ...peers.map(({ switch: switchSlot, addr }) => uplinkOf(simulation, 'router', switchSlot, addr)),
]

/** Words for failing and restoring each end of an uplink. */
const uplinkWords = {
  cable: {
    fail: 'Pull the cable',
    mend: 'Put the cable back',
    consequence: (works: boolean) =>
      works
        ? 'The link goes down, and with it every session over it.'
        : 'The link comes up, and the sessions over it are established anew.',
  },
  router: {
    fail: 'Make silent',
    mend: 'Let it answer again',
    consequence: (works: boolean) =>
      works
        ? 'The sessions with it end, and its routes go.'
        : 'The sessions with it are established anew.',
  },
}

type UplinkPart = Exclude<Part, { kind: 'supply' }>

const columns: Column<Part>[] = [
  { id: 'what', header: 'part', cell: ({ what }) => what },
  {
    id: 'works',
    header: 'state',
    width: 160,
    phone: 'first',
    cell: ({ works, failed }) =>
      works ? (
        <StateBadge tone="works">OK</StateBadge>
      ) : (
        <StateBadge tone="failed">{failed}</StateBadge>
      ),
  },
]

/** Card that makes simulated hardware fail. */
export function SimulationCard() {
  const { data, error, refetch } = useQuery(simulationQuery)
  const peers = useQuery(peersQuery).data ?? []
  const ports = useQuery(portsQuery).data?.items ?? []
  const supply = useApiAction('simulatedPowerSupplyUpdate', { onSuccess: whenReread })
  const uplink = useApiAction('simulatedUplinkUpdate', { onSuccess: whenReread })
  const uplinkAction = ({ kind, what, works, switchSlot, end }: UplinkPart): MenuAction => {
    const { fail, mend, consequence } = uplinkWords[kind]
    const label = works ? fail : mend
    return {
      label,
      calls: 'simulatedUplinkUpdate',
      onAction: () =>
        confirmAction({
          title: label,
          body: (
            <>
              <Strong>{what}</Strong>: {consequence(works)}
            </>
          ),
          errorTitle: `Could not change the ${kind}`,
          ...uplink({ path: { switchSlot, end }, body: { up: !works } }),
        }),
    }
  }
  const actions = (part: Part): MenuAction[] => {
    const { works, what } = part
    return part.kind === 'supply'
      ? [
          {
            label: works ? 'Take out' : 'Put back',
            calls: 'simulatedPowerSupplyUpdate',
            onAction: () =>
              confirmAction({
                title: works ? 'Take out power supply' : 'Put back power supply',
                body: (
                  <>
                    An alert is raised that <Strong>{what.toLowerCase()}</Strong> was{' '}
                    {works ? 'removed' : 'inserted'}.
                  </>
                ),
                errorTitle: `Could not change ${what.toLowerCase()}`,
                ...supply({ path: { slot: part.slot }, body: { present: !works } }),
              }),
          },
        ]
      : [uplinkAction(part)]
  }
  return (
    <Card
      title="Simulation"
      description={
        <>
          This rack is simulated: its parts fail on demand. Sleds and disks fail from their menus;
          the effects show in <TextLink to="/system/networking/switch-ports">switch ports</TextLink>
          , <TextLink to="/system/networking/bgp-peers">BGP peers</TextLink> and alerts.
        </>
      }
    >
      <LoadedTable
        label="Simulation"
        what="The simulation"
        read={{ rows: data && partsOf(data, peers, ports), error, refetch }}
        columns={columns}
        rowKey={({ key }) => key}
        actions={actions}
        skeletonRows={6}
      />
    </Card>
  )
}
