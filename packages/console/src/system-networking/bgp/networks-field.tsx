import {
  announcementWarning,
  ANNOUNCEMENTS_MAX,
  bgpMessages,
  cidrFieldProblem,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { allLotsQuery, lotQuery } from '../address-lots/queries.ts'
import { capitalized } from '../../ui/list-controls/count-text.ts'
import { choicesOf } from '../../data/reads.ts'
import { type EntryList, useListEntry } from '../../forms/list-entry.ts'
import { SubForm } from '../../forms/sub-form.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { MiniTable } from '../../ui/form/mini-table.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Mono } from '../../ui/text.tsx'

/** A network of a lot; `lot` is its name. */
export type Announced = { lot: string; network: string }

export const announcedList: EntryList<Announced, Announced> = {
  blank: { lot: '', network: '' },
  // The lot of the last network stays selected for the next one.
  isBlank: ({ network }) => network.trim() === '',
  problems: {
    lot: (lot) => (lot === '' ? 'Address lot is required' : undefined),
    network: (text) => cidrFieldProblem(text.trim()),
  },
  twice({ network }, announced) {
    const trimmed = network.trim()
    return announced.some((one) => one.network === trimmed) ? bgpMessages.twice(trimmed) : undefined
  },
  add: (announced, { lot, network }) => [...announced, { lot, network: network.trim() }],
  next: ({ lot }) => ({ lot, network: '' }),
  max: ANNOUNCEMENTS_MAX,
  full: bgpMessages.tooMany,
}

/** The networks of an announce set. */
export function NetworksField() {
  const navigate = useNavigate()
  const { items, entry, remove, field, subForm } = useListEntry(
    announcedList,
    'announced',
    'announcedEntry',
  )
  const lots = useQuery(allLotsQuery)
  const { data: chosen } = useQuery({ ...lotQuery(entry.lot), enabled: entry.lot !== '' })
  const blocks = chosen?.blocks.map(({ firstAddress, lastAddress }) => ({
    first_address: firstAddress,
    last_address: lastAddress,
  }))
  const typed = entry.network.trim()
  const warning =
    cidrFieldProblem(typed) === undefined ? announcementWarning(typed, blocks) : undefined
  return (
    <div className="flex flex-col gap-4">
      <h3 className="text-base font-semibold">Networks</h3>
      <SubForm addLabel="Add network" {...subForm}>
        <ListboxField
          {...field('lot')}
          label="Address lot"
          empty="No address lots"
          whenEmpty={{
            label: 'New address lot',
            onAction: () => void navigate({ to: '/system/networking/address-lots-new' }),
          }}
          {...choicesOf(lots, ({ name }) => ({ value: name, label: name }))}
        />
        <TextField
          {...field('network')}
          label="Network"
          required
          mono
          placeholder="192.0.2.0/24"
          description={warning && capitalized(warning)}
        />
      </SubForm>
      <MiniTable
        label="Networks"
        columns={[
          { id: 'network', header: 'Network', cell: (one) => <Mono>{one.network}</Mono> },
          { id: 'lot', header: 'Address lot', cell: (one) => one.lot },
        ]}
        items={items}
        rowKey={(one) => one.network}
        onRemove={remove}
      />
    </div>
  )
}
