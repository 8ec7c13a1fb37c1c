import type { Image } from '@steading/api/client'
import { useQuery } from '@tanstack/react-query'
import { useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import { choicesOf } from '../../data/reads.ts'
import { Banner } from '../../ui/banner.tsx'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { TextLink } from '../../ui/link.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { imageOption } from './image-option.tsx'
import { promoted, PromotionInfo } from './promote.tsx'
import { projectImagesQuery } from './queries.ts'

function useProjectChoices() {
  const projects = useQuery(apiQuery('projectList', { query: { limit: ALL_ITEMS } }))
  const choices = choicesOf(projects, ({ name }) => ({ value: name, label: name }))
  return { ...choices, empty: 'No projects found' }
}

/** Promotes an image of any project, from the list of silo images. */
export function PromoteForm({ onDismiss }: { onDismiss: () => void }) {
  const form = useForm({ defaultValues: { project: '', image: '' } })
  const project = useWatch({ control: form.control, name: 'project' })
  const images = useQuery({ ...projectImagesQuery(project), enabled: Boolean(project) })
  const argsOf = ({ image }: { image: string }) => ({ path: { image } })
  const promote = useApiForm('imagePromote', argsOf, {
    onSuccess: (image) => {
      promoted(image, { link: false })
      onDismiss()
    },
  })
  return (
    <ModalForm
      form={form}
      title="Promote image"
      submitLabel="Promote"
      {...promote}
      onDismiss={onDismiss}
    >
      <ComboboxField
        name="project"
        label="Project"
        placeholder="Select a project"
        control={form.control}
        onChange={() => form.resetField('image')}
        {...useProjectChoices()}
      />
      <ListboxField
        name="image"
        label="Image"
        placeholder="Select an image"
        control={form.control}
        disabled={!project}
        {...choicesOf(images, (image) => imageOption(image))}
      />
      <PromotionInfo />
    </ModalForm>
  )
}

/** Demotes an image of the silo to one project. */
export function DemoteForm({ image, onDismiss }: { image: Image; onDismiss: () => void }) {
  const form = useForm({ defaultValues: { project: '' } })
  const argsOf = (query: { project: string }) => ({ path: { image: image.id }, query })
  const demote = useApiForm('imageDemote', argsOf, {
    onSuccess: ({ name }, { query: { project } }) => {
      addToast({
        content: (
          <>
            Image <b>{name}</b> demoted
          </>
        ),
        link: (
          <TextLink to="/projects/$project/images" params={{ project }}>
            View images in {project}
          </TextLink>
        ),
      })
      onDismiss()
    },
  })
  return (
    <ModalForm
      form={form}
      title="Demote image"
      submitLabel="Demote"
      {...demote}
      onDismiss={onDismiss}
    >
      <p>
        Demoting: <b className="font-medium wrap-anywhere">{image.name}</b>
      </p>
      <Banner>
        Once an image has been demoted it is only visible within the project it is demoted to. Disks
        already made from it are not affected.
      </Banner>
      <ComboboxField
        name="project"
        label="Project"
        placeholder="Select project for image"
        control={form.control}
        {...useProjectChoices()}
      />
    </ModalForm>
  )
}
