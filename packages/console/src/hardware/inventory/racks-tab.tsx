import type { Rack, Result, Switch, SwitchDetails } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { Server, Waypoints } from 'lucide-react'
import { Suspense } from 'react'
import { useCapability } from '../../data/capabilities.ts'
import { createdColumn } from '../../page/columns.tsx'
import { LoadedTable } from '../../page/loaded-table.tsx'
import { Card } from '../../ui/card.tsx'
import type { Column } from '../../ui/column.ts'
import { CopyableId } from '../../ui/copy-button.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { partColumn, revisionColumn } from './baseboard-columns.tsx'
import { membershipQuery, racksQuery, switchesQuery } from './queries.ts'
import { InventoryTab } from './tab.tsx'

/** Loaded lazily, as most racks are real. */
const SimulationCard = lazyPart(() =>
  import('./simulation-card.tsx').then((m) => ({ default: m.SimulationCard })),
)

type Membership = Result<'rackMembershipStatus'>
type SwitchRow = Switch & Partial<SwitchDetails>

const tones: Record<Membership['state'], { tone: StateTone; word: string }> = {
  in_progress: { tone: 'changing', word: 'Adding sleds' },
  committed: { tone: 'works', word: 'Complete' },
  aborted: { tone: 'off', word: 'Change given up' },
}

function MembershipCell({ rackId }: { rackId: string }) {
  const { data } = useQuery(membershipQuery(rackId))
  if (!data) return <EmptyCell />
  const { tone, word } = tones[data.state]
  return <StateBadge tone={tone}>{word}</StateBadge>
}

function MembersCell({ rackId }: { rackId: string }) {
  const { data } = useQuery(membershipQuery(rackId))
  return data ? data.members.length : <EmptyCell />
}

const created = { ...createdColumn, sort: undefined }

const rackColumns: Column<Rack>[] = [
  { id: 'id', header: 'ID', cell: ({ id }) => <CopyableId id={id} className="max-w-full" /> },
  {
    id: 'membership',
    header: 'membership',
    width: 176,
    phone: 'second',
    labelled: true,
    cell: ({ id }) => <MembershipCell rackId={id} />,
  },
  {
    id: 'members',
    header: 'members',
    width: 96,
    align: 'end',
    cell: ({ id }) => <MembersCell rackId={id} />,
  },
  created,
]

const switchColumns: Column<SwitchRow>[] = [
  { id: 'slot', header: 'slot', width: 112, cell: ({ slot }) => slot ?? <EmptyCell /> },
  {
    id: 'serial',
    header: 'serial number',
    phone: 'first',
    cell: ({ baseboard }) => baseboard.serial,
  },
  { ...partColumn, phone: 'second' },
  revisionColumn,
  created,
]

export function RacksTab() {
  const simulated = useCapability('simulation')
  const racks = useQuery(racksQuery)
  const switches = useQuery(switchesQuery)
  return (
    <InventoryTab tab="racks">
      <div className="flex flex-col gap-6 py-4">
        <Card title="Racks">
          <LoadedTable
            label="Racks"
            what="The racks"
            read={{ ...racks, rows: racks.data?.items }}
            columns={rackColumns}
            empty={{ icon: Server, title: 'No racks found', body: 'Racks are shown here' }}
          />
        </Card>
        <Card title="Switches">
          <LoadedTable
            label="Switches"
            what="The switches"
            read={{ ...switches, rows: switches.data?.items }}
            columns={switchColumns}
            empty={{
              icon: Waypoints,
              title: 'No switches found',
              body: 'Switches of the racks are shown here',
            }}
          />
        </Card>
        {simulated && (
          <Suspense>
            <SimulationCard />
          </Suspense>
        )}
      </div>
    </InventoryTab>
  )
}
