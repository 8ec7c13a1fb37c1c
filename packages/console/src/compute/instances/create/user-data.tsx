import { CLOUD_CONFIG, docsPages, USER_DATA_MAX } from '@steading/api/rules'
import { useEffect } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { FileField } from '../../../ui/form/file-field.tsx'
import { DocsLink } from '../../../ui/docs-links.tsx'
import { ExternalLink } from '../../../ui/link.tsx'
import { formatNumber, formatSize } from '../../../ui/number.ts'
import type { Offer } from './queries.ts'
import { FormTabs } from './section.tsx'
import { bytesOf, useUserDataRemark, withoutMark } from './user-data-check.ts'
import { RemarkText } from './user-data-remark.tsx'
import { UserDataText } from './user-data-text.tsx'
import type { InstanceValues } from './values.ts'

const docs = 'https://cloudinit.readthedocs.io/en/latest'

const about = (
  <>
    Data for initialization systems like cloud-init, 32 KiB at most. On the first boot, cloud-init
    carries out a cloud-config, which is YAML after the line <code>{CLOUD_CONFIG}</code>, or runs a
    script, which begins with <code>#!</code> and its interpreter. See the{' '}
    <ExternalLink href={`${docs}/explanation/format.html`}>formats</ExternalLink> and{' '}
    <ExternalLink href={`${docs}/reference/examples.html`}>examples</ExternalLink>.{' '}
    <DocsLink page={docsPages.userData}>More about user data</DocsLink>
  </>
)

const tabs = [
  { id: 'file', label: 'File' },
  { id: 'text', label: 'Text' },
] as const

const tooLarge = (what: string, bytes: number) =>
  bytes > USER_DATA_MAX
    ? `Must be 32 KiB or smaller; this ${what} has ${formatNumber(bytes)} bytes`
    : undefined

/** A file can be moved or changed after it was picked. */
async function unreadable(file: File): Promise<string | undefined> {
  try {
    await file.arrayBuffer()
    return undefined
  } catch {
    return 'The file has changed or is gone; pick it again'
  }
}

/** Short description of the user data; undefined if there is none. */
export function userDataText(
  values: Pick<InstanceValues, 'userDataFrom' | 'userData' | 'userDataText'>,
): string | undefined {
  if (values.userDataFrom === 'file') {
    return values.userData
      ? `${values.userData.name}, ${formatSize(values.userData.size)}`
      : undefined
  }
  return values.userDataText ? `Text, ${formatSize(bytesOf(values.userDataText))}` : undefined
}

type Props = { form: UseFormReturn<InstanceValues>; offer: Offer; disabled: boolean }

/** A field for a file, with the same remarks as about a text. */
function UserDataFile({ form, disabled }: Pick<Props, 'form' | 'disabled'>) {
  const { control, setValue } = form
  const file = useWatch({ control, name: 'userData' })
  const remark = useUserDataRemark(file)
  const removeMark = () => setValue('userData', withoutMark(file!), { shouldDirty: true })
  return (
    <FileField
      name="userData"
      label="User Data"
      required={false}
      control={control}
      disabled={disabled}
      validate={(picked) =>
        picked ? (tooLarge('file', picked.size) ?? unreadable(picked)) : undefined
      }
      warning={remark ? <RemarkText {...remark} onRemoveMark={removeMark} /> : null}
    />
  )
}

/** User data as a binary file or as text; only the selected one is sent. */
export function UserDataField({ form, offer, disabled }: Props) {
  const { control, setValue, trigger } = form
  const [from, file, text] = useWatch({
    control,
    name: ['userDataFrom', 'userData', 'userDataText'],
  })
  useEffect(() => {
    // A file that is too large is reported at once, not on submit.
    if (file) void trigger('userData')
  }, [file, trigger])
  useEffect(() => {
    if (text) void trigger('userDataText')
  }, [text, trigger])
  return (
    <div>
      <span className="font-medium">Initialization</span>
      <div className="mb-1 text-xs text-tertiary">{about}</div>
      <FormTabs
        label="User data format"
        tabs={tabs}
        selected={from}
        onSelect={(next) => setValue('userDataFrom', next, { shouldDirty: true })}
      >
        {from === 'file' ? (
          <UserDataFile {...{ form, disabled }} />
        ) : (
          <UserDataText
            {...{ form, offer, disabled }}
            validate={(written) => tooLarge('text', bytesOf(written))}
          />
        )}
      </FormTabs>
    </div>
  )
}
