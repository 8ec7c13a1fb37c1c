import {
  BYTE_ORDER_MARK,
  CLOUD_CONFIG,
  secondDiskDevices,
  userDataExamples,
} from '@steading/api/rules'
import { useId, useRef } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { useEngine } from '../../../data/capabilities.ts'
import { Button } from '../../../ui/button.tsx'
import { confirmAction } from '../../../ui/confirm.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'
import type { Place } from './cloud-config.ts'
import type { Offer } from './queries.ts'
import { offsetOf, useUserDataRemark } from './user-data-check.ts'
import { RemarkText } from './user-data-remark.tsx'
import type { InstanceValues } from './values.ts'

const NAME = 'userDataText'
const KEY_TO_REPLACE = 'ssh-ed25519 AAAA… replace this by a public key'

type Props = {
  form: UseFormReturn<InstanceValues>
  offer: Offer
  disabled: boolean
  validate: (text: string) => string | undefined
}

/** User data as text, with examples and a remark about probable mistakes. */
export function UserDataText({ form, offer, disabled, validate }: Props) {
  const text = useWatch({ control: form.control, name: NAME })
  const remark = useUserDataRemark(text)
  const frame = useRef<HTMLDivElement>(null)
  const show = (at: Place) => {
    const area = frame.current?.querySelector('textarea')
    if (!area) return
    const offset = offsetOf(area.value, at)
    // In this order, browsers scroll to the cursor.
    area.setSelectionRange(offset, offset)
    area.focus()
  }
  const removeMark = () => {
    form.setValue(NAME, text.slice(BYTE_ORDER_MARK.length), { shouldDirty: true })
    form.setFocus(NAME)
  }
  return (
    <div ref={frame} className="flex flex-col gap-5">
      <Examples {...{ form, offer, disabled }} />
      <TextField
        name={NAME}
        label="User Data"
        placeholder={CLOUD_CONFIG}
        control={form.control}
        disabled={disabled}
        rows={12}
        mono
        validate={validate}
        warning={remark ? <RemarkText {...remark} onShow={show} onRemoveMark={removeMark} /> : null}
      />
    </div>
  )
}

function Examples({ form, offer, disabled }: Omit<Props, 'validate'>) {
  const labelId = useId()
  const engine = useEngine()
  const insert = (example: (typeof userDataExamples)[number]) => {
    const chosen = form.getValues('sshKeys')
    const key = offer.keys.find(({ id }) => chosen.includes(id))?.publicKey ?? KEY_TO_REPLACE
    // Other control planes have NVMe disks, like the simulated one.
    const device = secondDiskDevices[engine?.isSimulated === false ? 'virtio' : 'nvme']
    const put = () => {
      form.setValue(NAME, example.text({ key, device }), {
        shouldDirty: true,
        shouldValidate: true,
      })
      form.setFocus(NAME)
    }
    if (form.getValues(NAME) === '') return put()
    confirmAction({
      title: 'Replace user data',
      body: (
        <>
          The example <b className="font-medium text-primary">{example.title}</b> replaces the text
          in the field.
        </>
      ),
      errorTitle: 'Could not insert the example',
      action: async () => put(),
    })
  }
  return (
    <div
      role="group"
      aria-labelledby={labelId}
      className="flex flex-wrap items-center gap-2 text-xs"
    >
      <span id={labelId} className="text-secondary">
        Examples
      </span>
      {userDataExamples.map((example) => (
        <Button key={example.title} size="sm" disabled={disabled} onClick={() => insert(example)}>
          {example.title}
        </Button>
      ))}
    </div>
  )
}
