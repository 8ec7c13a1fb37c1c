import type { ImageCatalog, WellKnownImage } from '@steading/api/client'
import { imageArchitectures, imageCatalogMessages, imageTextProblem } from '@steading/api/rules'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { UseFormReturn } from 'react-hook-form'
import { usePrefetchedQuery } from '../../data/api.ts'
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
import { ReasonField } from '../../forms/reason-field.tsx'
import { catalogQuery } from './queries.ts'

type Values = FileAtUrl & Omit<WellKnownImage, 'url' | 'checksum'>

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
        description="User that the image creates at its first boot"
        control={control}
        mono
        validate={imageTextProblem}
      />
    </>
  )
}

/** @param known name of the edited image; without it, one is added */
function CatalogForm({ known }: { known?: string }) {
  const navigate = useNavigate()
  const close = () => void navigate({ to: '/system/image-catalog' })
  const { images } = usePrefetchedQuery(catalogQuery).data
  // An image is added to the newest list as well, so both are edits of it.
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
      body: {
        images:
          known === undefined
            ? [...all, imageOf(values)]
            : all.map((one) => (one.name === known ? imageOf(values) : one)),
      },
    }),
    onSuccess: () => {
      addToast(known === undefined ? 'Image added' : 'Image updated')
      close()
    },
  })
  const others = images.flatMap(({ name }) => (name === known ? [] : [name]))
  return (
    <SideModalForm
      form={form}
      formType="edit"
      title={known === undefined ? 'Add image' : 'Edit image'}
      submitLabel={known === undefined ? 'Add image' : 'Update image'}
      {...update}
      onDismiss={close}
    >
      <Fields form={form} others={others} />
      <ReasonField operation="imageCatalogUpdate" />
    </SideModalForm>
  )
}

export const CatalogCreateForm = () => <CatalogForm />

export function CatalogEditForm() {
  const { known } = useParams({
    from: '/shell/system/image-catalog/system/image-catalog/$known/edit',
  })
  return <CatalogForm known={known} />
}
