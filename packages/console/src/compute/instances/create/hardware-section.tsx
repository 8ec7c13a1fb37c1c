import { cpuFieldProblem, instancePresets, memoryFieldProblem } from '@steading/api/rules'
import { useController, useWatch, type UseFormReturn } from 'react-hook-form'
import { NumberField } from '../../../ui/form/number-field.tsx'
import { FormTabs, Section } from './section.tsx'
import { firstPreset, presetOf, type HardwareTab, type InstanceValues } from './values.ts'

const labels: Record<HardwareTab, string> = {
  generalPurpose: 'General Purpose',
  highCpu: 'High CPU',
  highMemory: 'High Memory',
  custom: 'Custom',
}
const tabs = (Object.keys(labels) as HardwareTab[]).map((id) => ({ id, label: labels[id] }))

type Props = { form: UseFormReturn<InstanceValues>; disabled: boolean }

export function HardwareSection({ form, disabled }: Props) {
  const { control, setValue } = form
  const tab = useWatch({ control, name: 'hardware' })
  const select = (next: HardwareTab) => {
    setValue('hardware', next, { shouldDirty: true })
    if (next !== 'custom') setValue('preset', firstPreset(next), { shouldDirty: true })
  }
  return (
    <Section title="Hardware">
      <FormTabs label="Hardware" tabs={tabs} selected={tab} onSelect={select}>
        {tab === 'custom' ? (
          <div className="flex flex-wrap gap-x-6 gap-y-5">
            <NumberField
              name="ncpus"
              label="CPUs"
              min={1}
              control={control}
              disabled={disabled}
              validate={cpuFieldProblem}
            />
            <NumberField
              name="memory"
              label="Memory"
              units="GiB"
              min={1}
              control={control}
              disabled={disabled}
              validate={memoryFieldProblem}
            />
          </div>
        ) : (
          <Presets key={tab} tab={tab} form={form} disabled={disabled} />
        )}
      </FormTabs>
    </Section>
  )
}

function Presets({ tab, form, disabled }: Props & { tab: keyof typeof instancePresets }) {
  const {
    field: { ref, ...field },
  } = useController({ control: form.control, name: 'preset' })
  return (
    <div
      role="radiogroup"
      aria-label={labels[tab]}
      className="grid grid-cols-2 gap-2 sm:grid-cols-4"
    >
      {instancePresets[tab].map((preset, index) => (
        <label
          key={presetOf(preset)}
          className="choice-card flex items-center gap-2.5 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus"
        >
          <input
            type="radio"
            name="preset"
            className="radio outline-none!"
            ref={index === 0 ? ref : undefined}
            aria-label={`${preset.ncpus} CPU ${preset.memory} gibibytes RAM`}
            value={presetOf(preset)}
            checked={field.value === presetOf(preset)}
            disabled={disabled}
            onBlur={field.onBlur}
            onChange={() => field.onChange(presetOf(preset))}
          />
          <span aria-hidden className="tabular-nums">
            <span className="block font-medium">{preset.ncpus} vCPUs</span>
            <span className="block text-xs text-secondary">{preset.memory} GiB RAM</span>
          </span>
        </label>
      ))}
    </div>
  )
}
