import { imageTextProblem } from '@steading/api/rules'
import type { Control, FieldPath, FieldValues } from 'react-hook-form'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import type { ImageValues } from './upload-state.ts'

/** The fields of every image. Only the name is required. */
export function ImageFields<T extends FieldValues & ImageValues>({
  control,
}: {
  control: Control<T>
}) {
  const field = (name: keyof ImageValues) => name as FieldPath<T>
  return (
    <>
      <NameField name={field('name')} control={control} />
      <DescriptionField name={field('description')} control={control} required />
      <TextField
        name={field('os')}
        label="OS"
        control={control}
        required
        validate={imageTextProblem}
      />
      <TextField
        name={field('version')}
        label="Version"
        control={control}
        required
        validate={imageTextProblem}
      />
    </>
  )
}
