import { imageFormats, isConverted } from '@steading/api/rules'
import { type Control, type FieldPath, type FieldValues, useWatch } from 'react-hook-form'
import { useImageFormats } from '../../data/capabilities.ts'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import {
  checksumFieldProblem,
  checksumItems,
  type ChecksumType,
  type FileAtUrl,
  urlFieldProblem,
} from './download-values.ts'

const labels = {
  sha256: 'SHA-256',
  sha512: 'SHA-512',
  list: 'URL of the list',
}

/** The fields of a file at a URL, and of its checksum. */
export function FileFields<T extends FieldValues & FileAtUrl>({
  control,
}: {
  control: Control<T>
}) {
  const formats = useImageFormats()
  const usable = imageFormats.filter((each) => !isConverted(each) || formats.includes(each))
  const field = (name: keyof FileAtUrl) => name as FieldPath<T>
  const type: ChecksumType = useWatch({ control, name: field('checksumType') })
  return (
    <>
      <TextField
        name={field('url')}
        label="URL"
        description={`An image that is not compressed: ${usable.join(', ')}`}
        control={control}
        required
        mono
        placeholder="https://"
        validate={urlFieldProblem}
      />
      <ListboxField
        name={field('checksumType')}
        label="Checksum"
        control={control}
        options={checksumItems}
      />
      {type !== 'none' && (
        <TextField
          name={field('checksum')}
          label={labels[type]}
          description={
            type === 'list' ? 'Such as SHA256SUMS, in which the file is listed' : undefined
          }
          control={control}
          required
          mono
          validate={(text: string) => checksumFieldProblem(type, text.trim())}
        />
      )}
    </>
  )
}
