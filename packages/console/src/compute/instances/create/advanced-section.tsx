import { HOSTNAME_MAX, hostnameProblem, hostnameRemark } from '@steading/api/rules'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { autoRestartHint, autoRestartOptions } from '../auto-restart.ts'
import { ListboxField } from '../../../ui/form/listbox-field.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import { GroupsField } from './groups-field.tsx'
import type { Offer } from './queries.ts'
import { Section } from './section.tsx'
import { UserDataField } from './user-data.tsx'
import type { InstanceValues } from './values.ts'

type Props = { form: UseFormReturn<InstanceValues>; offer: Offer; disabled: boolean }

export function AdvancedSection({ form, offer, disabled }: Props) {
  const { control } = form
  const [name, hostname] = useWatch({ control, name: ['name', 'hostname'] })
  return (
    <Section title="Advanced">
      <TextField
        name="hostname"
        label="Hostname"
        description="The instance’s name if left blank"
        placeholder={name}
        control={control}
        disabled={disabled}
        ignorePasswordManagers
        warning={(!hostnameProblem(hostname) && hostnameRemark(hostname)) || null}
        validate={(value) => {
          if (!value) return undefined
          if (value.length > HOSTNAME_MAX) return `Must be ${HOSTNAME_MAX} characters or fewer`
          return hostnameProblem(value) && 'Can only contain letters, numbers, dashes, and dots'
        }}
      />
      <GroupsField {...{ form, offer, disabled }} />
      <ListboxField
        name="autoRestart"
        label="Auto-restart policy"
        description={autoRestartHint}
        control={control}
        disabled={disabled}
        options={autoRestartOptions}
      />
      <UserDataField {...{ form, offer, disabled }} />
    </Section>
  )
}
