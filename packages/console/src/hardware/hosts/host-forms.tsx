import type { Args, Host } from '@steading/api/client'
import { asSentence, hostAddressProblem } from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { type Control, useForm } from 'react-hook-form'
import { useEngine } from '../../data/capabilities.ts'
import { useEditForm } from '../../forms/use-edit-form.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { hostQuery, useHostParam } from './queries.ts'

interface Values {
  address: string
}

const forms = [
  {
    address: 'qemu+ssh://user@host/system',
    needs:
      'By SSH. The user of the server needs a key that the host accepts, and the host key in known_hosts.',
  },
  {
    address: 'qemu+tls://host/system',
    needs:
      'By TLS. The server and the host need certificates of the same authority, in /etc/pki/libvirt.',
  },
  { address: 'qemu:///system', needs: 'The machine that this server runs on.' },
]

const simulatedForms = [
  {
    address: 'qemu+ssh://root@sim-7/system',
    needs: 'A simulated host. Names that begin with sim- pass; sim-slow passes with a warning.',
  },
  {
    address: 'qemu+ssh://root@sim-old/system',
    needs: 'One that is refused, as are sim-clock, sim-nostorage, and every other name.',
  },
]

/** The address of a host, and what each form of it needs. */
function AddressField({ control }: { control: Control<Values> }) {
  const isSimulated = useEngine()?.isSimulated === true
  const examples = isSimulated ? [...simulatedForms, ...forms] : forms
  return (
    <>
      <TextField
        name="address"
        control={control}
        required
        mono
        placeholder={examples[0]!.address}
        description="Address of the host’s libvirt"
        validate={(text) => asSentence(hostAddressProblem(text.trim()))}
      />
      <dl className="flex flex-col gap-3 text-secondary">
        {examples.map(({ address, needs }) => (
          <div key={address} className="min-w-0">
            <dt className="font-mono text-xs wrap-anywhere text-primary">{address}</dt>
            <dd>{needs}</dd>
          </div>
        ))}
      </dl>
    </>
  )
}

function checkedToast(name: string): void {
  addToast({
    content: (
      <>
        Host <b>{name}</b> is being checked
      </>
    ),
  })
}

const bodyOf = ({ address }: Values) => ({ address: address.trim() })

export function HostCreateForm() {
  const navigate = useNavigate()
  const form = useForm<Values>({ defaultValues: { address: '' } })
  const close = () => void navigate({ to: '/system/inventory/hosts' })
  const argsOf = (values: Values): Args<'hostCreate'> => ({ body: bodyOf(values) })
  const create = useApiForm('hostCreate', argsOf, {
    onSuccess: ({ name }) => {
      checkedToast(name)
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="host"
      title="Add host"
      submitLabel="Add host"
      {...create}
      onDismiss={close}
    >
      <p className="text-secondary">
        The host is checked. If it passes, it is put into service, and new instances are placed on
        it.
      </p>
      <AddressField control={form.control} />
    </SideModalForm>
  )
}

export function HostEditForm() {
  const navigate = useNavigate()
  const hostId = useHostParam()
  const close = () =>
    void navigate({ to: '/system/inventory/hosts/$host', params: { host: hostId } })
  const {
    opened: host,
    form,
    ...update
  } = useEditForm('hostUpdate', {
    resource: 'host',
    read: hostQuery(hostId),
    valuesOf: ({ address, nextAddress }: Host): Values => ({ address: nextAddress ?? address }),
    fields: { address: 'Address' },
    argsOf: (values) => ({ path: { hostId }, body: bodyOf(values) }),
    onSuccess: ({ name }) => {
      checkedToast(name)
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      title="Change address"
      submitLabel="Change address"
      star={<ResourceButtons kind="host" thing={host} />}
      {...update}
      onDismiss={close}
    >
      {host.state === 'in_service' && (
        <p className="text-secondary">
          The host stays in service at its present address until it has passed the checks at the new
          one.
        </p>
      )}
      <AddressField control={form.control} />
    </SideModalForm>
  )
}
