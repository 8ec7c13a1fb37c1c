import { useState } from 'react'
import { HardDrive } from 'lucide-react'
import { Card } from '../../src/ui/card.tsx'
import { AddressCell } from '../../src/ui/cells.tsx'
import type { Column } from '../../src/ui/column.ts'
import { EmptyState } from '../../src/ui/empty-state.tsx'
import { GroupHeadings } from '../../src/ui/group-headings.tsx'
import { CellLink } from '../../src/ui/link.tsx'
import { ListControls } from '../../src/ui/list-controls/list-controls.tsx'
import { SelectionBar } from '../../src/ui/selection-bar.tsx'
import { StateBadge, type StateTone } from '../../src/ui/state-badge.tsx'
import { Table } from '../../src/ui/table.tsx'
import { Description, Size } from '../../src/ui/text.tsx'
import { DateTime } from '../../src/ui/time.tsx'
import { HelpTip } from '../../src/ui/tooltip.tsx'
import { Wide } from '../section.tsx'
import { actions } from './buttons.tsx'

type Disk = {
  id: string
  name: string
  tone: StateTone
  state: string
  description: string
  size: number
  reads: number
  writes: number
}

const GIB = 2 ** 30
const disk = (name: string, tone: StateTone, state: string, description: string): Disk => ({
  id: name,
  name,
  tone,
  state,
  description,
  size: 16 * name.length * GIB,
  reads: 120 * name.length,
  writes: 17 * name.length,
})
const disks = [
  disk('boot', 'works', 'attached', 'Root of api-1'),
  disk('data', 'changing', 'attaching', 'A long description that does not fit into its column'),
  disk('old', 'off', 'detached', ''),
  disk('broken', 'failed', 'faulted', 'Its sled has failed'),
]
const created = new Date('2026-03-04T09:05:00Z')

const columns: Column<Disk>[] = [
  {
    id: 'name',
    header: 'name',
    sort: 'name',
    cell: ({ name }) => <CellLink to="/projects">{name}</CellLink>,
  },
  {
    id: 'state',
    header: 'state',
    width: 132,
    phone: 'first',
    cell: ({ tone, state }) => <StateBadge tone={tone}>{state}</StateBadge>,
  },
  {
    id: 'text',
    header: 'description',
    cell: ({ description }) => <Description text={description} />,
  },
  {
    id: 'size',
    header: 'size',
    sort: 'size',
    align: 'end',
    width: 100,
    phone: 'second',
    cell: ({ size }) => <Size bytes={size} />,
  },
  {
    id: 'created',
    header: 'created',
    width: 180,
    tip: <HelpTip>In your time zone</HelpTip>,
    cell: () => <DateTime date={created} />,
  },
]

const grouped: Column<Disk>[] = [
  columns[0]!,
  ...(['reads', 'writes'] as const).flatMap((name): Column<Disk>[] =>
    ['last', 'total'].map((part, index) => ({
      id: `${name}-${part}`,
      header: `${part} ${name}`,
      group: name,
      align: 'end',
      width: 120,
      cell: (row) => row[name] * (index * 9 + 1),
    })),
  ),
]

const wide: Column<Disk>[] = [
  columns[0]!,
  ...Array.from({ length: 7 }, (_, index) => ({
    id: `address-${index}`,
    header: `address ${index + 1}`,
    width: 160,
    cell: () => <AddressCell address={`172.30.0.${index + 5}`} />,
  })),
]

const noun = { one: 'disk', many: 'disks' }

export function Tables() {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set(['data', 'old']))
  const [sort, setSort] = useState({ by: 'size', descending: true })
  const select = (keys: string[], on: boolean) =>
    setSelected((before) =>
      on
        ? new Set([...before, ...keys])
        : new Set([...before].filter((key) => !keys.includes(key))),
    )
  return (
    <>
      <Wide name="Sorted, with a selection, and its controls">
        <ListControls
          noun={noun}
          searchable
          isEmpty={false}
          isFiltered
          waiting={false}
          total={4}
          totalOfAll={60}
          search="disk"
          onSearch={() => {}}
          filters={[
            {
              name: 'state',
              words: ['attached', 'detached'],
              selected: ['attached'],
              counted: false,
            },
            { name: 'pool', words: ['default'], selected: [], counted: false },
          ]}
          onFilter={() => {}}
          onFiltersShown={() => {}}
          onClear={() => {}}
          columns={columns.map(({ id, header }) => ({ id, label: header, shown: true }))}
          onColumns={() => {}}
        />
        <Table
          label="Disks"
          columns={columns}
          rows={disks}
          actions={() => actions}
          selection={{ isSelected: (key) => selected.has(key), onSelect: select }}
          sorting={{
            ...sort,
            canSort: () => true,
            onSort: (by, descending) => setSort({ by, descending }),
          }}
        />
        <div className="relative">
          <SelectionBar
            selected="2 selected"
            actions={actions}
            onClear={() => select(['data'], false)}
          />
        </div>
      </Wide>
      <Wide name="Groups of columns">
        <Table
          label="Activity"
          columns={grouped}
          headings={<GroupHeadings columns={grouped} />}
          rows={disks.slice(0, 2)}
        />
      </Wide>
      <Wide name="Wider than the page">
        <Table label="Addresses" columns={wide} rows={disks.slice(0, 2)} actions={() => actions} />
      </Wide>
      <Wide name="In a card, waiting for the next rows">
        <Card title="Disks">
          <Table label="Disks of the card" columns={columns} rows={disks.slice(0, 2)} waiting />
        </Card>
      </Wide>
    </>
  )
}

export const TablesLoading = () => (
  <>
    <Wide name="Loading">
      <Table
        label="Loading disks"
        columns={columns}
        rows={undefined}
        skeletonRows={3}
        actions={() => actions}
        selection={{ isSelected: () => false, onSelect: () => {} }}
      />
    </Wide>
    <Wide name="Without rows">
      <Table label="No rows" columns={columns} rows={[]} />
    </Wide>
    <Wide name="Empty">
      <Table
        label="No disks"
        columns={columns}
        rows={[]}
        empty={
          <EmptyState
            icon={<HardDrive size={20} strokeWidth={1.5} aria-hidden />}
            title="No disks"
            body="Create a disk to see it here"
          />
        }
      />
    </Wide>
  </>
)
