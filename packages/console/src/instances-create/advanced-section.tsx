import { HOSTNAME_MAX, hostnameProblem, USER_DATA_MAX } from '@steading/api/rules'
import { useEffect } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { autoRestartHint, autoRestartOptions } from '../instances/auto-restart-policy.ts'
import { FileField } from '../ui/form/file-field.tsx'
import { ListboxField } from '../ui/form/listbox-field.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { ExternalLink } from '../ui/link.tsx'
import { GroupsField } from './groups-field.tsx'
import type { Offer } from './queries.ts'
import { Section } from './section.tsx'
import type { InstanceValues } from './values.ts'

type Props = { form: UseFormReturn<InstanceValues>; offer: Offer; disabled: boolean }

export function AdvancedSection({ form, offer, disabled }: Props) {
  const { control, trigger } = form
  const [name, userData] = useWatch({ control, name: ['name', 'userData'] })
  useEffect(() => {
    // Too large a file is told when it is picked, not when everything else is done.
    if (userData) void trigger('userData')
  }, [userData, trigger])
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
      <FileField
        name="userData"
        label="User Data"
        required={false}
        description={
          <>
            Data for initialization systems like cloud-init, 32 KiB at most. See the{' '}
            <ExternalLink href="https://cloudinit.readthedocs.io/en/latest/explanation/format.html">
              formats
            </ExternalLink>{' '}
            and{' '}
            <ExternalLink href="https://cloudinit.readthedocs.io/en/latest/reference/examples.html">
              examples
            </ExternalLink>
          </>
        }
        control={control}
        disabled={disabled}
        validate={(file) =>
          file && file.size > USER_DATA_MAX
            ? `Must be 32 KiB or smaller; this file has ${file.size.toLocaleString()} bytes`
            : undefined
        }
      />
    </Section>
  )
}
