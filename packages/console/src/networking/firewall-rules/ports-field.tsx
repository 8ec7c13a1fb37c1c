import { FIREWALL_PARTS_MAX, portRangeFieldProblem } from '@steading/api/rules'
import { useEffect } from 'react'
import { useFormContext } from 'react-hook-form'
import { type EntryList, useListEntry } from '../../forms/list-entry.ts'
import { SubForm } from '../../forms/sub-form.tsx'
import { MiniTable } from '../../ui/form/mini-table.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Mono } from '../../ui/text.tsx'
import { TOO_MANY_PARTS } from './labels.ts'

export const portList: EntryList<string, { port: string }> = {
  blank: { port: '' },
  isBlank: ({ port }) => port.trim() === '',
  problems: { port: portRangeFieldProblem },
  twice: ({ port }, ports) =>
    ports.includes(port.trim()) ? 'Port range already added' : undefined,
  add: (ports, { port }) => [...ports, port.trim()],
  max: FIREWALL_PARTS_MAX,
  full: TOO_MANY_PARTS,
}

/** Field for the ports and port ranges of a rule. */
export function PortsField() {
  const {
    items: ports,
    entry,
    added,
    remove,
    field,
    subForm,
  } = useListEntry(portList, 'ports', 'portEntry')
  const { trigger } = useFormContext()
  useEffect(() => {
    // After the first attempt, input is validated at once.
    if (added > 0 && entry.port !== '') void trigger('portEntry')
  }, [added, entry.port, trigger])
  return (
    <div className="flex flex-col gap-3">
      <SubForm addLabel="Add port filter" {...subForm}>
        <TextField
          {...field('port')}
          label="Port filters"
          description="A single port, like 1234, or a range, like 1234-2345"
          required
        />
      </SubForm>
      <MiniTable
        label="Port filters"
        columns={[
          { id: 'ranges', header: 'Port ranges', cell: (port: string) => <Mono>{port}</Mono> },
        ]}
        items={ports}
        rowKey={(port) => port}
        onRemove={remove}
        removeLabel={(port) => `remove port ${port}`}
      />
    </div>
  )
}
