import { useForm } from 'react-hook-form'
import { CopyButton } from '../../src/ui/copy-button.tsx'
import { FormSection } from '../../src/ui/form/field.tsx'
import { FileField } from '../../src/ui/form/file-field.tsx'
import { MiniTable, SubFormButtons } from '../../src/ui/form/mini-table.tsx'
import { NumberField } from '../../src/ui/form/number-field.tsx'
import { TextField } from '../../src/ui/form/text-field.tsx'
import { Columns } from '../section.tsx'

const failed = (message: string) => ({ type: 'custom', message })
const errors = {
  taken: failed('Name already exists'),
  tooSmall: failed('Size must be at least 1 GiB'),
  noFile: failed('Certificate is required'),
}
const file = new File(['-----BEGIN CERTIFICATE-----'], 'certificate-of-the-city-archive.pem')

export function Fields() {
  const { control } = useForm({
    defaultValues: {
      empty: '',
      filled: 'api-1',
      taken: 'storefront',
      disabled: 'cannot be changed',
      warned: '0.0.0.0/0',
      secret: 'correct horse',
      key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ',
      text: 'Front of the shop.\nRestarted by hand.',
      size: 16,
      tooSmall: 0,
      fixed: 8,
      noFile: null,
      file: null,
      chosenFile: file,
    },
    errors,
    shouldFocusError: false,
  })
  return (
    <>
      <Columns>
        <TextField control={control} name="empty" label="Empty" placeholder="my-disk" required />
        <TextField
          control={control}
          name="filled"
          label="Filled"
          description="Lower-case letters, digits and dashes"
          required
        />
        <TextField control={control} name="taken" label="With an error" required />
        <TextField control={control} name="disabled" label="Disabled" disabled required />
        <TextField
          control={control}
          name="warned"
          label="With a warning"
          warning="All addresses may connect"
          required
        />
        <TextField
          control={control}
          name="secret"
          label="Password"
          type="password"
          tip="At least 8 characters"
          required
        />
        <TextField
          control={control}
          name="key"
          label="Monospace, with a button"
          mono
          suffix={<CopyButton text="ssh-ed25519" />}
        />
        <TextField control={control} name="text" label="Lines" rows={3} />
        <div className="flex flex-col gap-4">
          <NumberField control={control} name="size" label="Size" units="GiB" min={1} />
          <NumberField control={control} name="tooSmall" label="With an error" units="GiB" />
          <NumberField control={control} name="fixed" label="Disabled" units="CPUs" disabled />
        </div>
        <FileField control={control} name="file" label="File" accept=".pem,.crt" />
        <FileField control={control} name="chosenFile" label="Chosen file" />
        <FileField control={control} name="noFile" label="File with an error" />
      </Columns>
      <FormSection title="Section of a form">
        <MiniTable
          label="Disks"
          columns={[
            { id: 'name', header: 'name', cell: ({ name }) => name },
            { id: 'size', header: 'size', cell: ({ size }) => size },
          ]}
          items={[
            { name: 'boot', size: '16 GiB' },
            { name: 'data', size: '512 GiB' },
          ]}
          rowKey={({ name }) => name}
          onRemove={() => {}}
        />
        <MiniTable
          label="Networks"
          columns={[{ id: 'name', header: 'name', cell: (name: string) => name }]}
          items={[]}
          rowKey={(name) => name}
          onRemove={() => {}}
          empty="No networks"
        />
        <SubFormButtons addLabel="Add disk" onAdd={() => {}} onClear={() => {}} clearable={false} />
      </FormSection>
    </>
  )
}
