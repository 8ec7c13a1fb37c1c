import { FIREWALL_PARTS_MAX, portRangeFieldProblem } from '@steading/api/rules'
import { useForm, useWatch } from 'react-hook-form'
import { MiniTable } from '../ui/form/mini-table.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { Mono } from '../ui/text.tsx'
import { SubForm } from '../forms/sub-form.tsx'

type Props = { value: string[]; onChange: (ports: string[]) => void }

/** Ports, and ranges of ports, that a rule applies to. */
export function PortsField({ value: ports, onChange }: Props) {
  const { control, handleSubmit, reset } = useForm({ defaultValues: { port: '' } })
  const text = useWatch({ control, name: 'port' })
  const empty = (keepIsSubmitted: boolean) => reset({ port: '' }, { keepIsSubmitted })
  const add = handleSubmit(({ port }) => {
    onChange([...ports, port.trim()])
    // From the first attempt on, what is typed is judged at once.
    empty(true)
  })
  return (
    <div className="flex flex-col gap-3">
      <SubForm
        addLabel="Add port filter"
        addable={text !== ''}
        clearable={text !== ''}
        onAdd={() => void add()}
        onClear={() => empty(false)}
        full={
          ports.length >= FIREWALL_PARTS_MAX
            ? `A rule has at most ${FIREWALL_PARTS_MAX} of these.`
            : undefined
        }
      >
        <TextField
          name="port"
          label="Port filters"
          description="A single port, like 1234, or a range, like 1234-2345"
          control={control}
          required
          validate={(port) =>
            portRangeFieldProblem(port) ??
            (ports.includes(port.trim()) ? 'Port range already added' : undefined)
          }
        />
      </SubForm>
      <MiniTable
        label="Port filters"
        columns={[
          { id: 'ranges', header: 'Port ranges', cell: (port: string) => <Mono>{port}</Mono> },
        ]}
        items={ports}
        rowKey={(port) => port}
        onRemove={(port) => onChange(ports.filter((each) => each !== port))}
        removeLabel={(port) => `remove port ${port}`}
      />
    </div>
  )
}
