import type { Dashboard } from '@steading/api/client'
import {
  asSentence,
  DASHBOARD_TAG_KEYS_MAX,
  type DashboardSharing,
  tagKeyProblem,
  viewNameFieldProblem,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { type Control, useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { apiQuery, whenReread } from '../../data/api.ts'
import { seedAnswer } from '../../data/seed-answer.ts'
import { useCapability } from '../../data/capabilities.ts'
import { DescriptionField } from '../../forms/name-fields.tsx'
import { namedFields, useEditForm } from '../../forms/use-edit-form.tsx'
import type { QueryScope } from '../timeseries/explorer-link.ts'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { type Content, dashboardQuery } from './queries.ts'

type Values = {
  name: string
  description: string
  /** Keys of tags, separated by commas. */
  tagKeys: string
  sharing: DashboardSharing
}

const keysOf = (text: string): string[] =>
  text
    .split(',')
    .map((key) => key.trim())
    .filter(Boolean)

/** Problem with the keys of tags, or undefined. */
function keysProblem(text: string): string | undefined {
  const keys = keysOf(text)
  if (keys.length > DASHBOARD_TAG_KEYS_MAX) return `At most ${DASHBOARD_TAG_KEYS_MAX} keys`
  if (new Set(keys).size < keys.length) return 'Each key only once'
  return asSentence(keys.map(tagKeyProblem).find((problem) => problem !== undefined))
}

/** The keys of tags whose values the dashboard offers. */
function TagKeysField({ scope, control }: { scope: QueryScope; control: Control<Values> }) {
  const supported = useCapability('tagFilters')
  const place = scope === 'system' ? { scope: 'system' as const } : scope
  const { data } = useQuery({ ...apiQuery('tagKeyList', { query: place }), enabled: supported })
  if (!supported) return null
  return (
    <ComboboxField
      name="tagKeys"
      label="Choices by tags"
      description="The key of a tag, such as env, or several separated by commas. The dashboard offers their values, and its charts show only resources with the chosen ones."
      required={false}
      allowCustom
      control={control}
      options={(data?.keys ?? []).map((key) => ({ value: key, label: key }))}
      validate={keysProblem}
    />
  )
}

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

const tagKeysOf = ({ tagKeys }: Values) => ({ tagKeys: keysOf(tagKeys) })

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
  const { name, description, charts, tagKeys = [] } = content
  const form = useForm<Values>({
    defaultValues: { name, description, tagKeys: tagKeys.join(', '), sharing: 'private' },
  })
  const argsOf = (values: Values) => ({
    body: {
      name: values.name.trim(),
      description: values.description,
      charts,
      ...tagKeysOf(values),
      source: scope === 'system' ? ('system' as const) : ('project' as const),
      ...ownerOf(scope, values.sharing),
    },
  })
  const create = useApiForm('dashboardCreate', argsOf, {
    onSuccess: async (dashboard) => {
      await whenReread()
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
      <TagKeysField scope={scope} control={form.control} />
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
      tagKeys: read.tagKeys.join(', '),
      sharing: read.sharing,
    }),
    fields: {
      ...namedFields,
      tagKeys: 'Choices by tags',
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
        ...tagKeysOf(values),
        ...ownerOf(scope, values.sharing),
      },
    }),
    onSuccess: async (updated) => {
      seedAnswer('dashboardView', { path }, updated)
      await whenReread()
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
      <TagKeysField scope={scope} control={form.control} />
      <RadioField {...sharingField(scope)} control={form.control} />
    </ModalForm>
  )
}
