import type { Args } from '@steading/api/client'
import {
  BFD_INTERVAL_MAX,
  bfdEndsProblem,
  type BfdMode,
  ipFieldProblem,
  type SwitchSlot,
} from '@steading/api/rules'
import { useNavigate } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { switchOptions } from '../switch-ports/queries.ts'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { doneToast } from '../../ui/toasts.tsx'

type Values = {
  switchSlot: SwitchSlot
  remote: string
  local: string
  mode: BfdMode
  detectionThreshold: number
  requiredRx: number
}

const initial: Values = {
  switchSlot: 'switch0',
  remote: '',
  local: '',
  mode: 'single_hop',
  detectionThreshold: 3,
  requiredRx: 300_000,
}

const argsOf = ({ remote, local, ...rest }: Values): Args<'networkingBfdEnable'> => ({
  body: { ...rest, remote: remote.trim(), ...(local.trim() ? { local: local.trim() } : {}) },
})

const addressProblem = (text: string) => ipFieldProblem(text.trim())

export function BfdEnableForm() {
  const navigate = useNavigate()
  const form = useForm({ defaultValues: initial })
  const { control } = form
  const close = () => void navigate({ to: '/system/networking/bfd' })
  const enable = useApiForm('networkingBfdEnable', argsOf, {
    onSuccess: (_, { body }) => {
      doneToast('BFD session with', body.remote, 'enabled')
      close()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="BFD session"
      title="New BFD session"
      submitLabel="Enable session"
      {...enable}
      onDismiss={close}
    >
      <ListboxField name="switchSlot" label="Switch" control={control} options={switchOptions} />
      <TextField
        name="remote"
        label="Peer address"
        control={control}
        required
        mono
        validate={addressProblem}
      />
      <TextField
        name="local"
        label="Local address"
        description="Source address of the switch; any by default"
        control={control}
        mono
        validate={(text, { remote }) =>
          text.trim() === ''
            ? undefined
            : (addressProblem(text) ??
              (addressProblem(remote) ? undefined : bfdEndsProblem(remote.trim(), text.trim())))
        }
      />
      <RadioField
        name="mode"
        control={control}
        column
        items={[
          { value: 'single_hop', label: 'Single hop', description: 'The peer is on the link' },
          {
            value: 'multi_hop',
            label: 'Multi hop',
            description: 'There are other routers on the path to the peer',
          },
        ]}
      />
      <NumberField
        name="requiredRx"
        label="Interval"
        description="The longest time between packets of the peer"
        units="µs"
        control={control}
        min={1}
        max={BFD_INTERVAL_MAX}
      />
      <NumberField
        name="detectionThreshold"
        label="Detection threshold"
        description="Number of missed packets after which the peer counts as down"
        control={control}
        min={1}
        max={255}
      />
    </SideModalForm>
  )
}
