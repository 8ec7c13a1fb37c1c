import type { LldpLinkConfigCreate } from '@steading/api/client'
import { ipFieldProblem } from '@steading/api/rules'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { CheckboxField } from '../../ui/form/choice-fields.tsx'
import { TextField } from '../../ui/form/text-field.tsx'

const texts = [
  'linkName',
  'linkDescription',
  'chassisId',
  'systemName',
  'systemDescription',
  'managementIp',
] as const

/** The LLDP data of a link; empty texts stand for the defaults of the switch. */
export type LldpValues = { enabled: boolean } & Record<(typeof texts)[number], string>

export const lldpValuesOf = (config: LldpLinkConfigCreate): LldpValues => ({
  enabled: config.enabled,
  ...(Object.fromEntries(texts.map((name) => [name, config[name] ?? ''])) as Record<
    (typeof texts)[number],
    string
  >),
})

export const lldpOf = (values: LldpValues): LldpLinkConfigCreate => ({
  enabled: values.enabled,
  ...Object.fromEntries(texts.map((name) => [name, values[name].trim() || null])),
})

const labels: Record<(typeof texts)[number], string> = {
  linkName: 'LLDP link name',
  linkDescription: 'LLDP link description',
  chassisId: 'Chassis ID',
  systemName: 'System name',
  systemDescription: 'System description',
  managementIp: 'Management IP',
}

/** Settings that differ from the defaults of the switch. */
export const lldpText = ({ enabled, ...values }: LldpValues): string =>
  [
    enabled ? 'enabled' : 'disabled',
    ...texts.flatMap((name) => (values[name] ? [`${labels[name]} ${values[name]}`] : [])),
  ].join(', ')

/** @param prefix path of these values within the form's values */
export function LldpFields<T extends FieldValues>({
  control,
  prefix,
}: {
  control: Control<T>
  prefix: string
}) {
  const at = (name: keyof LldpValues) => `${prefix}.${name}` as FieldPath<T>
  return (
    <>
      <CheckboxField name={at('enabled')} control={control}>
        LLDP enabled
      </CheckboxField>
      <div className="grid gap-4 sm:grid-cols-2">
        {texts.map((name) => (
          <TextField
            key={name}
            name={at(name)}
            label={labels[name]}
            control={control}
            mono={name === 'managementIp'}
            validate={
              name === 'managementIp'
                ? (text: string) => (text.trim() === '' ? undefined : ipFieldProblem(text.trim()))
                : undefined
            }
          />
        ))}
      </div>
    </>
  )
}
