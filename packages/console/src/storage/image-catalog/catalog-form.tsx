import type { ImageCatalog, WellKnownImage } from '@steading/api/client'
import { imageArchitectures, imageCatalogMessages, imageTextProblem } from '@steading/api/rules'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useForm, type UseFormReturn } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { apiQuery, invalidate, usePrefetchedQuery } from '../../data/api.ts'
import { useEditForm } from '../../forms/use-edit-form.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { addToast } from '../../ui/toasts.tsx'
import {
  blankFile,
  checksumItems,
  checksumOf,
  type FileAtUrl,
  fileValues,
} from '../image-downloads/download-values.ts'
import { FileFields } from '../image-downloads/file-fields.tsx'

type Values = FileAtUrl & Omit<WellKnownImage, 'url' | 'checksum'>

const catalogQuery = apiQuery('imageCatalogView', {})

const imageOf = ({ name, os, version, architecture, user, ...file }: Values): WellKnownImage => ({
  name,
  os,
  version,
  architecture,
  user,
  url: file.url.trim(),
  checksum: checksumOf(file),
})

const valuesOf = (image: WellKnownImage): Values => {
  const { name, os, version, architecture, user } = image
  return { name, os, version, architecture, user, ...fileValues(image) }
}

const blank: Values = {
  name: '',
  os: '',
  version: '',
  architecture: 'x86_64',
  user: '',
  ...blankFile,
}

const updated = (text: string, close: () => void) => () => {
  void invalidate('imageCatalogView')
  addToast(text)
  close()
}

function useClose() {
  const navigate = useNavigate()
  return () => void navigate({ to: '/system/image-catalog' })
}

/** @param others names of the other images */
function Fields({ form, others }: { form: UseFormReturn<Values>; others: string[] }) {
  const { control } = form
  return (
    <>
      <TextField
        name="name"
        label="Name"
        control={control}
        required
        validate={(name) =>
          name === ''
            ? 'Name is required'
            : others.includes(name)
              ? imageCatalogMessages.taken
              : imageTextProblem(name)
        }
      />
      <TextField name="os" label="OS" control={control} validate={imageTextProblem} />
      <TextField name="version" label="Version" control={control} validate={imageTextProblem} />
      <ListboxField
        name="architecture"
        label="Architecture"
        control={control}
        options={imageArchitectures.map((value) => ({ value, label: value }))}
      />
      <FileFields control={control} />
      <TextField
        name="user"
        label="User"
        description="The user that the image makes at its first boot, for signing in"
        control={control}
        mono
        validate={imageTextProblem}
      />
    </>
  )
}

export function CatalogCreateForm() {
  const close = useClose()
  const { images } = usePrefetchedQuery(catalogQuery).data
  const form = useForm({ defaultValues: blank })
  const argsOf = (values: Values) => ({ body: { images: [...images, imageOf(values)] } })
  const add = useApiForm('imageCatalogUpdate', argsOf, { onSuccess: updated('Image added', close) })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="image"
      title="Add image"
      {...add}
      onDismiss={close}
    >
      <Fields form={form} others={images.map(({ name }) => name)} />
    </SideModalForm>
  )
}

export function CatalogEditForm() {
  const close = useClose()
  const { known } = useParams({
    from: '/shell/system/image-catalog/system/image-catalog/$known/edit',
  })
  const { images } = usePrefetchedQuery(catalogQuery).data
  const { form, ...update } = useEditForm('imageCatalogUpdate', {
    resource: 'image',
    read: catalogQuery,
    valuesOf: ({ images: all }: ImageCatalog) => {
      const found = all.find(({ name }) => name === known)
      return found ? valuesOf(found) : blank
    },
    fields: {
      name: 'Name',
      os: 'OS',
      version: 'Version',
      architecture: 'Architecture',
      user: 'User',
      url: 'URL',
      checksumType: {
        label: 'Checksum',
        text: (type) => checksumItems.find(({ value }) => value === type)!.label,
      },
      checksum: 'Value of the checksum',
    },
    argsOf: (values: Values, { images: all }: ImageCatalog) => ({
      body: { images: all.map((one) => (one.name === known ? imageOf(values) : one)) },
    }),
    onSuccess: updated('Image updated', close),
  })
  const others = images.flatMap(({ name }) => (name === known ? [] : [name]))
  return (
    <SideModalForm form={form} formType="edit" title="Edit image" {...update} onDismiss={close}>
      <Fields form={form} others={others} />
    </SideModalForm>
  )
}
