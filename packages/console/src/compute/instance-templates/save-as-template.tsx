import { type InstanceCreate, toWire } from '@steading/api/client'
import { hasUnique, templateOf } from '@steading/api/templates'
import { useForm } from 'react-hook-form'
import { base64ToString } from 'uint8array-extras'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { CheckboxField, CheckboxGroupField } from '../../ui/form/choice-fields.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { TextLink } from '../../ui/link.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { asVariable, type Edited, placesIn, type Stored } from './places.ts'

type Props = {
  project: string
  /** The request of the form, with its user data. */
  body: InstanceCreate
  onDismiss: () => void
}

type Values = { name: string; description: string; asked: string[]; withUserData: boolean }

/** User data as text where it is one, so that it can have variables. */
function userDataOf(base64: string): { text: string } | { base64: string } {
  try {
    const text = base64ToString(base64)
    return text.includes('\uFFFD') || text.includes('\0') ? { base64 } : { text }
  } catch {
    return { base64 }
  }
}

const idOf = ({ path }: { path: readonly unknown[] }) => path.join('.')

/** Saves the values of the form of a new instance as a template. The form stays as it is. */
export default function SaveAsTemplate({ project, body, onDismiss }: Props) {
  const request = toWire(body) as Stored
  const { userData } = body
  const fixed = (withUserData: boolean): Stored =>
    templateOf(request, withUserData && userData ? userDataOf(userData) : undefined)
  const places = placesIn(fixed(false)).filter(({ name }) => name !== 'about')
  const form = useForm<Values>({
    defaultValues: { name: '', description: '', asked: [], withUserData: false },
  })
  const create = useApiForm(
    'instanceTemplateCreate',
    ({ name, description, asked, withUserData }: Values) => {
      const begun: Edited = { instance: fixed(withUserData), variables: [] }
      const { instance, variables } = places
        .filter((place) => asked.includes(idOf(place)))
        .reduce((edited, place) => asVariable(edited, place), begun)
      return {
        query: { project },
        body: {
          name,
          description,
          instance,
          variables,
        },
      }
    },
    {
      onSuccess: ({ name }) => {
        addToast({
          content: (
            <>
              Template{' '}
              <TextLink
                to="/projects/$project/instance-templates/$template/edit"
                params={{ project, template: name }}
              >
                {name}
              </TextLink>{' '}
              created
            </>
          ),
        })
        onDismiss()
      },
    },
  )
  const { control } = form
  return (
    <ModalForm
      form={form}
      title="Save as template"
      submitLabel="Create template"
      onDismiss={onDismiss}
      {...create}
      calls={{ operation: 'instanceTemplateCreate', about: ['project'] }}
    >
      <NameField control={control} />
      <DescriptionField control={control} />
      <CheckboxGroupField
        name="asked"
        label="Ask for"
        description="Other values stay as they are in this form"
        required={false}
        control={control}
        items={places.map((place) => ({ value: idOf(place), label: place.label }))}
      />
      {userData && (
        <CheckboxField
          name="withUserData"
          control={control}
          description="Everyone who sees the template can read it. Leave it out if it has secrets."
        >
          With user data
        </CheckboxField>
      )}
      <p className="text-secondary">
        SSH keys are those of the user who creates the instance.
        {hasUnique(request) &&
          ' Existing disks and floating IPs belong to one instance, and are left out.'}
      </p>
    </ModalForm>
  )
}
