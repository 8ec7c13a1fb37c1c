import type { RolloutPart } from '@steading/api/client'
import { componentLabels, type RolloutPartState } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useApiAction } from '../../workspace/as-code/as-code.tsx'
import { whenReread } from '../../data/api.ts'
import { useCapability } from '../../data/capabilities.ts'
import { useLivePolling } from '../../data/live.ts'
import type { Column } from '../../ui/column.ts'
import { Card } from '../../ui/card.tsx'
import { confirmAction } from '../../ui/confirm.tsx'
import type { MenuAction } from '../../ui/menu-action.ts'
import { StateBadge, type StateTone } from '../../ui/state-badge.tsx'
import { CellLink } from '../../ui/link.tsx'
import { Table } from '../../ui/table.tsx'
import { Strong } from '../../ui/text.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { rolloutQuery } from './queries.ts'

/** Polling interval without live events. */
const POLL_MS = 5_000

const states: Record<RolloutPartState, { tone: StateTone; word: string; moves?: true }> = {
  waiting: { tone: 'off', word: 'Waiting' },
  moving_instances: { tone: 'changing', word: 'Moving instances', moves: true },
  installing: { tone: 'changing', word: 'Installing', moves: true },
  updated: { tone: 'works', word: 'Updated' },
}

/** Software of a part: one release, or several during its update. */
function softwareOf({ components }: RolloutPart): string {
  const releases = new Set(components.map(({ release }) => release ?? 'unknown'))
  return [...releases].join(', ')
}

/** Current work on a part. */
function workOn({ state, instances, components }: RolloutPart): string | null {
  if (state === 'moving_instances') {
    return `${instances} ${instances === 1 ? 'instance' : 'instances'} left`
  }
  const component = components.find(({ installing }) => installing)
  return component ? componentLabels[component.kind] : null
}

const columns: Column<RolloutPart>[] = [
  {
    id: 'name',
    header: 'Serial number',
    cell: ({ kind, id, name }) =>
      kind === 'sled' ? (
        <CellLink to="/system/inventory/sleds/$sledId/instances" params={{ sledId: id }}>
          {name}
        </CellLink>
      ) : (
        name
      ),
  },
  { id: 'kind', header: 'Kind', width: 96, cell: ({ kind }) => kind },
  {
    id: 'state',
    header: 'State',
    width: 176,
    phone: 'first',
    cell: ({ state }) => {
      const { tone, word, moves } = states[state]
      return (
        <StateBadge tone={tone} transitional={moves}>
          {word}
        </StateBadge>
      )
    },
  },
  { id: 'work', header: 'At present', width: 176, phone: 'second', labelled: true, cell: workOn },
  {
    id: 'components',
    header: 'Components updated',
    width: 176,
    cell: ({ components }) =>
      `${components.filter(({ updated }) => updated).length} of ${components.length}`,
  },
  { id: 'software', header: 'Software', phone: 'second', labelled: true, cell: softwareOf },
]

/** Simulated rack only: plays support's recovery of a broken sled. */
function useSimulatedRecovery(): (part: RolloutPart) => MenuAction[] {
  const recover = useApiAction('simulatedSledRecover', {
    onSuccess: async (_, { path }) => {
      await whenReread()
      doneToast('Sled', path.serial, 'recovered')
    },
  })
  return ({ kind, name }) =>
    kind !== 'sled'
      ? []
      : [
          {
            label: 'Simulate a recovery',
            calls: 'simulatedSledRecover',
            onAction: () =>
              confirmAction({
                title: 'Simulate a recovery',
                body: (
                  <>
                    The simulated sled <Strong>{name}</Strong> gets the software that it came with,
                    as if support had recovered it. Updates are suspended until you finish the
                    recovery in the menu of a release.
                  </>
                ),
                errorTitle: `Could not recover ${name}`,
                ...recover({ path: { serial: name } }),
              }),
          },
        ]
}

/** Sleds and switches in the order of their update. */
export function RolloutCard() {
  const interval = useLivePolling(POLL_MS)
  const { data } = useQuery({
    ...rolloutQuery,
    enabled: useCapability('updates'),
    refetchInterval: interval,
  })
  const recovery = useSimulatedRecovery()
  const actions = useCapability('simulation') ? recovery : undefined
  if (!data || data.state === 'none') return null
  return (
    <Card
      title="Progress by sled"
      description="One sled after the other, then the switches; instances move away first"
    >
      <Table label="Sleds and switches" columns={columns} rows={data.parts} actions={actions} />
    </Card>
  )
}
