import type { Dashboard } from '@steading/api/client'
import { type DashboardSharing, viewNameFieldProblem } from '@steading/api/rules'
import { useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { invalidate, seed } from '../../data/api.ts'
import { DescriptionField } from '../../forms/name-fields.tsx'
import { namedFields, useEditForm } from '../../forms/use-edit-form.tsx'
import type { QueryScope } from '../timeseries/explorer-link.ts'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { type Content, dashboardQuery } from './queries.ts'

type Values = { name: string; description: string; sharing: DashboardSharing }

const isShared = (sharing: DashboardSharing) => sharing !== 'private'

type Choice = { value: DashboardSharing; label: string; description: string }
const choices: Choice[] = [
  { value: 'private', label: 'Only me', description: 'Others do not see it.' },
  {
    value: 'project',
    label: 'The project',
    description: 'Everyone who can see the project can use it; collaborators can change it.',
  },
  {
    value: 'silo',
    label: 'The silo',
    description:
      'All users of the silo can use it, limited in each project to the data they may see; collaborators of the silo can change it.',
  },
]

/** Field for sharing a dashboard, used by both forms. */
const sharingField = (scope: QueryScope) => ({
  name: 'sharing' as const,
  label: 'Shared with',
  column: true,
  items: choices.filter(({ value }) => scope !== 'system' || value !== 'project'),
})

const ownerOf = (scope: QueryScope, sharing: DashboardSharing) => ({
  sharing,
  ...(sharing === 'project' && scope !== 'system' ? { project: scope.project } : {}),
})

type SaveProps = {
  scope: QueryScope
  title: string
  /** Content to save under the entered name. */
  content: Content
  onSaved: (dashboard: Dashboard) => void
  onDismiss: () => void
}

/** Saves charts as a new dashboard. */
export function NewDashboardForm({ scope, title, content, onSaved, onDismiss }: SaveProps) {
  const { name, description, charts } = content
  const form = useForm<Values>({ defaultValues: { name, description, sharing: 'private' } })
  const argsOf = (values: Values) => ({
    body: {
      name: values.name.trim(),
      description: values.description,
      charts,
      source: scope === 'system' ? ('system' as const) : ('project' as const),
      ...ownerOf(scope, values.sharing),
    },
  })
  const create = useApiForm('dashboardCreate', argsOf, {
    onSuccess: async (dashboard) => {
      await invalidate('dashboardList')
      onDismiss()
      onSaved(dashboard)
    },
  })
  const sharing = useWatch({ control: form.control, name: 'sharing' })
  return (
    <ModalForm
      form={form}
      title={title}
      submitLabel="Save"
      {...create}
      // Private dashboards need no role.
      calls={isShared(sharing) ? create.calls : undefined}
      onDismiss={onDismiss}
    >
      <TextField name="name" control={form.control} required validate={viewNameFieldProblem} />
      <DescriptionField control={form.control} />
      <RadioField {...sharingField(scope)} control={form.control} />
    </ModalForm>
  )
}

type SettingsProps = {
  scope: QueryScope
  dashboard: Dashboard
  onDismiss: () => void
}

/** Renames or shares a dashboard. */
export function DashboardSettingsForm({ scope, dashboard, onDismiss }: SettingsProps) {
  const { id, sharing } = dashboard
  const path = { dashboard: id }
  const { form, ...update } = useEditForm('dashboardUpdate', {
    resource: 'dashboard',
    read: dashboardQuery(id),
    opened: dashboard,
    valuesOf: (read: Dashboard): Values => ({
      name: read.name,
      description: read.description,
      sharing: read.sharing,
    }),
    fields: {
      ...namedFields,
      sharing: {
        label: 'Shared with',
        text: (shared) => choices.find(({ value }) => value === shared)!.label,
      },
    },
    argsOf: (values, { charts }) => ({
      path,
      body: {
        name: values.name.trim(),
        description: values.description,
        charts,
        ...ownerOf(scope, values.sharing),
      },
    }),
    onSuccess: async (updated) => {
      seed('dashboardView', { path }, updated)
      await invalidate('dashboardList', 'dashboardView')
      onDismiss()
    },
  })
  return (
    <ModalForm
      form={form}
      title="Dashboard settings"
      submitLabel="Save"
      {...update}
      calls={isShared(sharing) ? update.calls : undefined}
      onDismiss={onDismiss}
    >
      <TextField name="name" control={form.control} required validate={viewNameFieldProblem} />
      <DescriptionField control={form.control} />
      <RadioField {...sharingField(scope)} control={form.control} />
    </ModalForm>
  )
}
