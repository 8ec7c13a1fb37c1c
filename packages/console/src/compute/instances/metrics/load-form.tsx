import type { SimulatedLoad } from '@steading/api/client'
import { useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../../../workspace/as-code/as-code.tsx'
import { whenReread } from '../../../data/api.ts'
import { ListboxField } from '../../../ui/form/listbox-field.tsx'
import { ModalForm } from '../../../ui/form/modal-form.tsx'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { doneToast } from '../../../ui/toasts.tsx'

/** Duration of a load that runs until it is replaced or stopped. */
const UNTIL_STOPPED = 'stopped'

/** Durations in seconds, with their labels. */
const durations = [
  { value: '300', label: '5 minutes' },
  { value: '900', label: '15 minutes' },
  { value: '3600', label: '1 hour' },
  { value: UNTIL_STOPPED, label: 'Until it is stopped' },
]

type Values = { cpu: number; disk: number; network: number; duration: string }

type LoadFormProps = {
  project: string
  instance: string
  /** The current load, which prefills the form. */
  load: SimulatedLoad
  onDismiss: () => void
}

/** Puts the simulated machine of an instance under load. */
export function LoadForm({ project, instance, load, onDismiss }: LoadFormProps) {
  const { cpu, disk, network, timeStarted } = load
  const form = useForm<Values>({
    mode: 'onChange',
    defaultValues: {
      ...(timeStarted ? { cpu, disk, network } : { cpu: 80, disk: 0, network: 0 }),
      duration: '900',
    },
  })
  const argsOf = ({ duration, ...percents }: Values) => ({
    path: { instance },
    query: { project },
    body: {
      ...percents,
      duration: duration === UNTIL_STOPPED ? null : Number(duration),
    },
  })
  const set = useApiForm('simulatedInstanceSetLoad', argsOf, {
    onSuccess: async () => {
      await whenReread()
      doneToast('Instance', instance, 'is under load')
      onDismiss()
    },
  })
  const percents = useWatch({ control: form.control, name: ['cpu', 'disk', 'network'] })
  const field = { control: form.control, units: '%', max: 100, step: 10 }
  return (
    <ModalForm
      form={form}
      title="Simulate load"
      submitLabel="Start load"
      {...set}
      onDismiss={onDismiss}
      submitDisabledReason={
        percents.every((percent) => percent === 0) && 'At least one must be above zero'
      }
    >
      <p className="text-secondary">
        The machine is simulated: only its metrics change, as if its guest were busy. Percentages
        are of the capacity left by its own work.
      </p>
      <div className="grid grid-cols-2 gap-4">
        <NumberField name="cpu" label="CPU" {...field} />
        <NumberField name="disk" label="Disk" {...field} />
        <NumberField name="network" label="Network" {...field} />
        <ListboxField name="duration" label="For" options={durations} control={form.control} />
      </div>
    </ModalForm>
  )
}
