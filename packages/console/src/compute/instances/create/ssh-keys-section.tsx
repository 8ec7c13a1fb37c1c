import { INSTANCE_MAX_SSH_KEYS } from '@steading/api/rules'
import { useState } from 'react'
import { KeyRound } from 'lucide-react'
import type { UseFormReturn } from 'react-hook-form'
import { SshKeyCreateForm } from '../../../identity/ssh-keys/ssh-key-create.tsx'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { CheckboxGroupField } from '../../../ui/form/choice-fields.tsx'
import { TextLink } from '../../../ui/link.tsx'
import { ChoicesPart } from './choices-part.tsx'
import type { Offer } from './queries.ts'
import { NothingHere, Section } from './section.tsx'
import type { InstanceValues } from './values.ts'

type Props = { form: UseFormReturn<InstanceValues>; offer: Offer; disabled: boolean }

export function SshKeysSection({ form, offer, disabled }: Props) {
  const { keys } = offer
  const { control, getValues, setValue } = form
  const [adding, setAdding] = useState(false)
  return (
    <Section title="Authentication">
      <ChoicesPart part="keys" offer={offer}>
        {keys.length > 0 ? (
          <CheckboxGroupField
            name="sshKeys"
            label="SSH keys"
            description={
              <>
                Manage your keys in <TextLink to="/settings/ssh-keys">user settings</TextLink>
              </>
            }
            control={control}
            disabled={disabled}
            required
            selectAll="Select all"
            items={keys.map(({ id, name, description }) => ({
              value: id,
              label: name,
              description,
            }))}
            validate={(chosen) =>
              chosen.length > INSTANCE_MAX_SSH_KEYS
                ? `An instance supports a maximum of ${INSTANCE_MAX_SSH_KEYS} SSH keys`
                : undefined
            }
          />
        ) : (
          <NothingHere title="No SSH keys" body="Add a key to see it here" />
        )}
      </ChoicesPart>
      <div>
        <Button
          size="sm"
          disabled={disabled}
          icon={<KeyRound size={14} strokeWidth={1.5} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          Add SSH Key
        </Button>
      </div>
      <Banner>
        Keys are put on the instance only when it is created, and only if its boot image can read
        them: it needs cloud-init and support for a cidata volume.
      </Banner>
      {adding && (
        <SshKeyCreateForm
          notice={
            <Banner>The key is saved in your profile and can be used for other instances.</Banner>
          }
          onDismiss={() => setAdding(false)}
          onCreated={({ id }) => {
            setValue('sshKeys', [...getValues('sshKeys'), id], { shouldDirty: true })
            setAdding(false)
          }}
        />
      )}
    </Section>
  )
}
