import type { SavedView } from '@steading/api/client'
import { type ListedKind, viewNameFieldProblem } from '@steading/api/rules'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../as-code/as-code.tsx'
import { whenReread } from '../../data/api.ts'
import { useEditForm } from '../../forms/use-edit-form.tsx'
import { CheckboxField } from '../../ui/form/choice-fields.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { useRefusalReason } from '../../ui/server-state.ts'
import { type ViewContent, viewQuery } from './saved-views.ts'

type ViewFormProps = {
  kind: ListedKind
  project: string | undefined
  content: ViewContent
  /** The view to rename; without one, a new view is saved. */
  renamed?: SavedView
  onSaved: (view: SavedView) => void
  onDismiss: () => void
}

type Values = { name: string; shared: boolean }

export default function ViewForm({ renamed, ...props }: ViewFormProps) {
  return renamed ? <RenameForm {...props} renamed={renamed} /> : <SaveForm {...props} />
}

function SaveForm({ kind, project, content, onSaved, onDismiss }: ViewFormProps) {
  const form = useForm<Values>({ defaultValues: { name: '', shared: false } })
  const cannotShare = useRefusalReason()('viewCreate')
  const argsOf = ({ name, shared }: Values) => ({
    body: {
      name: name.trim(),
      list: kind,
      ...content,
      ...(shared && project ? { project } : {}),
    },
  })
  const create = useApiForm('viewCreate', argsOf, {
    onSuccess: async (view) => {
      await whenReread()
      onDismiss()
      onSaved(view)
    },
  })
  return (
    <ModalForm
      form={form}
      title="Save view"
      submitLabel="Save"
      {...create}
      // Only sharing needs a role, which the choice below handles.
      calls={undefined}
      onDismiss={onDismiss}
    >
      <TextField name="name" control={form.control} required validate={viewNameFieldProblem} />
      {project && (
        <CheckboxField
          name="shared"
          control={form.control}
          disabled={Boolean(cannotShare)}
          description={
            cannotShare ??
            'Everyone who can see the project can use it; collaborators can change it.'
          }
        >
          Share in the project
        </CheckboxField>
      )}
    </ModalForm>
  )
}

function RenameForm({ kind, project, renamed, onDismiss }: ViewFormProps & { renamed: SavedView }) {
  const { form, ...update } = useEditForm('viewUpdate', {
    resource: 'view',
    read: viewQuery(kind, project, renamed.id),
    opened: renamed,
    valuesOf: ({ name }: SavedView) => ({ name }),
    fields: { name: 'Name' },
    argsOf: ({ name }) => ({ path: { view: renamed.id }, body: { name: name.trim() } }),
    onSuccess: async () => {
      await whenReread()
      onDismiss()
    },
  })
  return (
    <ModalForm
      form={form}
      title="Rename view"
      submitLabel="Rename"
      {...update}
      // Private views need no role.
      calls={renamed.projectId ? 'viewUpdate' : undefined}
      onDismiss={onDismiss}
    >
      <TextField name="name" control={form.control} required validate={viewNameFieldProblem} />
    </ModalForm>
  )
}
