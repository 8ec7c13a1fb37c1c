import { useForm } from 'react-hook-form'
import { CheckboxInput } from '../../src/ui/checkbox-input.tsx'
import { CheckboxField, CheckboxGroupField, RadioField } from '../../src/ui/form/choice-fields.tsx'
import { ComboboxField } from '../../src/ui/form/combobox-field.tsx'
import { ListboxField } from '../../src/ui/form/listbox-field.tsx'
import { Columns, Specimen } from '../section.tsx'

const failed = (message: string) => ({ type: 'custom', message })
const errors = { none: failed('Pool is required'), noImage: failed('Image is required') }

const items = [
  { value: 'blank', label: 'Blank', description: 'An empty disk' },
  { value: 'image', label: 'Image' },
  { value: 'snapshot', label: 'Snapshot', disabledReason: 'There are no snapshots' },
]
const options = ['default', 'fast', 'archive'].map((value) => ({ value, label: value }))
const failure = { message: 'the server did not answer', retry: async () => {} }

export function Choosing() {
  const { control } = useForm({
    defaultValues: {
      source: 'blank',
      size: 'small',
      on: true,
      off: false,
      some: ['v4'],
      pool: 'default',
      unset: '',
      none: '',
      locked: 'fast',
      image: 'default',
      noImage: '',
    },
    errors,
    shouldFocusError: false,
  })
  return (
    <Columns>
      <RadioField control={control} name="source" items={items} column />
      <CheckboxGroupField
        control={control}
        name="some"
        label="Address families"
        description="Of the subnet"
        selectAll="All"
        items={[
          { value: 'v4', label: 'IPv4' },
          { value: 'v6', label: 'IPv6', description: 'With a prefix of 64 bits' },
        ]}
      />
      <div className="flex flex-col gap-3">
        <CheckboxField control={control} name="on" description="Also after a failure">
          Start automatically
        </CheckboxField>
        <CheckboxField control={control} name="off">
          Read-only
        </CheckboxField>
        <CheckboxField control={control} name="off" disabled>
          Disabled
        </CheckboxField>
        <Specimen name="Checkboxes and radio buttons alone">
          <CheckboxInput aria-label="Unchecked" />
          <CheckboxInput aria-label="Checked" defaultChecked />
          <CheckboxInput aria-label="Partly checked" indeterminate />
          <CheckboxInput aria-label="Checked and disabled" defaultChecked disabled />
          <input type="radio" className="radio" aria-label="Not chosen" />
          <input type="radio" className="radio" aria-label="Chosen" defaultChecked />
          <input type="radio" className="radio" aria-label="Disabled" disabled />
        </Specimen>
      </div>
      <RadioField
        control={control}
        name="size"
        label="Cards"
        cards
        items={[
          { value: 'small', label: '2 CPUs', description: '8 GiB RAM' },
          { value: 'large', label: '4 CPUs', description: '16 GiB RAM' },
        ]}
      />
      <ListboxField control={control} name="pool" label="List" options={options} />
      <ListboxField control={control} name="unset" label="List without a choice" {...{ options }} />
      <ListboxField control={control} name="none" label="List with an error" {...{ options }} />
      <ListboxField
        control={control}
        name="locked"
        label="Disabled list"
        disabled
        {...{ options }}
      />
      <ListboxField
        control={control}
        name="unset"
        label="Empty list"
        options={[]}
        empty="No pools"
      />
      <ListboxField control={control} name="unset" label="Loading list" options={[]} loading />
      <ListboxField
        control={control}
        name="unset"
        label="Failed list"
        options={[]}
        {...{ failure }}
      />
      <ComboboxField control={control} name="image" label="Combobox" options={options} />
      <ComboboxField
        control={control}
        name="noImage"
        label="Combobox with an error"
        {...{ options }}
      />
      <ComboboxField
        control={control}
        name="image"
        label="Disabled combobox"
        disabled
        {...{ options }}
      />
    </Columns>
  )
}
