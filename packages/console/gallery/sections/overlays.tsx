import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { HardDrive } from 'lucide-react'
import { Button } from '../../src/ui/button.tsx'
import { CodeFrame } from '../../src/ui/code-view.tsx'
import { confirmDelete } from '../../src/ui/confirm.tsx'
import { ModalForm } from '../../src/ui/form/modal-form.tsx'
import { NumberField } from '../../src/ui/form/number-field.tsx'
import { SideModalForm } from '../../src/ui/form/side-modal-form.tsx'
import { TextField } from '../../src/ui/form/text-field.tsx'
import { ChoicesMenu } from '../../src/ui/list-controls/choices-menu.tsx'
import { Menu } from '../../src/ui/menu.tsx'
import { Modal, ModalFooter } from '../../src/ui/modal.tsx'
import { PropertiesTable } from '../../src/ui/properties-table.tsx'
import { SecretModal } from '../../src/ui/secret-modal.tsx'
import { ReadOnlySideModal } from '../../src/ui/side-modal.tsx'
import { addToast, errorToast, toasts } from '../../src/ui/toasts.tsx'
import { tooltip } from '../../src/ui/tooltip.tsx'
import { Specimen } from '../section.tsx'
import { actions } from './buttons.tsx'

const example = () => (
  <CodeFrame>
    <pre className="p-5 font-mono text-xs">DELETE /v1/disks/data?project=storefront</pre>
  </CodeFrame>
)

type Closing = { onClose: () => void }

const JustText = ({ onClose }: Closing) => (
  <Modal
    title="Technical preview"
    onDismiss={onClose}
    footer={<ModalFooter onDismiss={onClose} actionText="Continue" onAction={onClose} />}
  >
    A dialog asks one question, and its buttons stay in place.
  </Modal>
)

function SmallForm({ onClose }: Closing) {
  const form = useForm({ defaultValues: { name: 'data', size: 16 } })
  return (
    <ModalForm
      form={form}
      title="Attach disk"
      submitLabel="Attach"
      onSubmit={onClose}
      onDismiss={onClose}
      loading={false}
      submitError={{ message: 'The disk is attached to api-2', details: '400 InvalidRequest' }}
      code={example}
    >
      <TextField control={form.control} name="name" required />
      <NumberField control={form.control} name="size" units="GiB" />
    </ModalForm>
  )
}

function SideForm({ onClose }: Closing) {
  const form = useForm({ defaultValues: { name: 'data', description: '' } })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="disk"
      onSubmit={onClose}
      onDismiss={onClose}
      loading={false}
      submitError={{ message: 'The quota of the silo is used up' }}
      code={example}
    >
      <TextField control={form.control} name="name" required />
      <TextField control={form.control} name="description" />
    </SideModalForm>
  )
}

const Panel = ({ onClose }: Closing) => (
  <ReadOnlySideModal
    title="Disk"
    subtitle={
      <>
        <HardDrive size={16} strokeWidth={1.5} aria-hidden /> data
      </>
    }
    onDismiss={onClose}
  >
    <PropertiesTable>
      <PropertiesTable.IdRow id="6d3f1c0e-5f6b-4a53-9d56-1f2a37c0b8e4" />
      <PropertiesTable.Row label="State">attached</PropertiesTable.Row>
    </PropertiesTable>
  </ReadOnlySideModal>
)

const Secrets = ({ onClose }: Closing) => (
  <SecretModal
    title="Recovery codes"
    notice="Store the codes in a password manager. They are shown only now."
    secrets={[{ label: 'Codes', text: '7f3k-9d2m\nq8w4-t6zc\n2hvn-x5rb' }]}
    onDismiss={onClose}
  />
)

const dialogs = {
  Dialog: JustText,
  'Small form': SmallForm,
  'Form in a panel': SideForm,
  Panel,
  Secrets,
}

/** Toasts of each kind, which stay until they are dismissed. */
function showToasts(): void {
  toasts.set([])
  addToast({
    timeout: null,
    content: (
      <>
        Disk <b>data</b> created
      </>
    ),
  })
  addToast({ timeout: null, variant: 'notice', title: 'Job finished', content: '3 disks deleted' })
  errorToast('Could not stop the instance', 'It is being migrated.')
}

export function Overlays() {
  const [open, setOpen] = useState<keyof typeof dialogs>()
  const [chosen, setChosen] = useState(['running'])
  const Dialog = open && dialogs[open]
  return (
    <>
      <Specimen name="Dialogs, panels, toasts and tooltips, opened by their buttons">
        {(Object.keys(dialogs) as (keyof typeof dialogs)[]).map((name) => (
          <Button key={name} onClick={() => setOpen(name)}>
            {name}
          </Button>
        ))}
        <Button
          onClick={() =>
            confirmDelete({ kind: 'disk', name: 'data', action: async () => {}, code: example })
          }
        >
          Confirmation
        </Button>
        <Button onClick={showToasts}>Toasts</Button>
        <Button {...tooltip('The reason why an action is disabled,\nor the rest of a text')}>
          Tooltip
        </Button>
      </Specimen>
      <Specimen name="Menus">
        <Menu label="Actions of the example" items={actions} />
        <Menu
          label="More of the example"
          items={actions}
          trigger="More"
          variant="secondary"
          size="md"
        />
        <ChoicesMenu
          label="State: Running"
          active
          sections={[
            {
              label: 'State',
              items: [
                { id: 'running', label: 'Running', count: 12 },
                { id: 'stopped', label: 'Stopped', count: 0 },
                { id: 'failed', label: 'Failed', count: 1 },
              ],
              counted: { one: 'instance', many: 'instances' },
              selected: chosen,
              onChange: setChosen,
            },
            {
              label: 'Sort',
              single: true,
              items: [
                { id: 'name', label: 'Name' },
                { id: 'created', label: 'Created' },
              ],
              selected: ['name'],
              onChange: () => {},
            },
          ]}
        >
          State: Running
        </ChoicesMenu>
      </Specimen>
      {Dialog && <Dialog onClose={() => setOpen(undefined)} />}
    </>
  )
}
