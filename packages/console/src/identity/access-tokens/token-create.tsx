import type { AccessTokenCreate, NewAccessToken, ServiceAccount } from '@steading/api/client'
import {
  isUuid,
  nameFieldProblem,
  TOKEN_PROJECTS_MAX,
  type TokenAccess,
  tokenAccesses,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm, useWatch } from 'react-hook-form'
import { ALL_ITEMS, apiQuery } from '../../data/api.ts'
import { choicesOf } from '../../data/reads.ts'
import { type EntryList, useListEntry, withEntry } from '../../forms/list-entry.ts'
import { NameField } from '../../forms/name-fields.tsx'
import { SubForm } from '../../forms/sub-form.tsx'
import { RadioField } from '../../ui/form/choice-fields.tsx'
import { ComboboxField } from '../../ui/form/combobox-field.tsx'
import { MiniTable } from '../../ui/form/mini-table.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { SecretModal } from '../../ui/secret-modal.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { lifetimeText, units } from './lifetime.ts'
import { type Lifetime, LifetimeFields, secondsOf } from './lifetime-fields.tsx'
import { accessWords } from './token-columns.tsx'

type Values = {
  name: string
  access: TokenAccess
  within: 'all' | 'some'
  projects: string[]
  projectEntry: { project: string }
  lifetime: Lifetime
}

const projectList: EntryList<string, { project: string }> = {
  blank: { project: '' },
  isBlank: ({ project }) => project.trim() === '',
  problems: {
    project: (project, _entry, added) =>
      added.includes(project.trim())
        ? 'The project is already in the list'
        : isUuid(project.trim())
          ? undefined
          : nameFieldProblem(project.trim()),
  },
  add: (added, { project }) => [...added, project.trim()],
  max: TOKEN_PROJECTS_MAX,
  full: `A token can be limited to at most ${TOKEN_PROJECTS_MAX} projects`,
}

const projectsOf = ({ projects, projectEntry }: Values) =>
  withEntry(projectList, projects, projectEntry)

export const tokenBodyOf = (values: Values): AccessTokenCreate => ({
  name: values.name,
  access: values.access,
  projects: values.within === 'some' ? projectsOf(values) : undefined,
  ttlSeconds: secondsOf(values.lifetime) ?? undefined,
})

const descriptions: Record<TokenAccess, string> = {
  full: 'Everything that the roles permit.',
  read_only: 'Reads what the roles permit. It changes nothing, and opens no console.',
  admin: 'Everything that an admin may do.',
  collaborator: 'Manages instances, disks and networks.',
  limited_collaborator: 'Manages instances and disks, but no networks.',
  viewer: 'Reads what a viewer may read.',
}

/** The proposed lifetime, unless the silo permits less. */
const USUAL_DAYS = 90

type Props = {
  /** The service account that gets the token; the signed-in user by default. */
  of?: Pick<ServiceAccount, 'id' | 'name' | 'projectId'>
  /** The longest lifetime that the silo permits, in seconds; null for no limit. */
  max: number | null
  onDismiss: () => void
}

/** Creates a token, and shows it once. */
export function TokenCreate({ of: account, max, onDismiss }: Props) {
  const [made, setMade] = useState<NewAccessToken>()
  const onSuccess = (token: NewAccessToken) => {
    setMade(token)
  }
  const own = useApiForm(
    'currentUserAccessTokenCreate',
    (values: Values) => ({ body: tokenBodyOf(values) }),
    { onSuccess },
  )
  const ofAccount = useApiForm(
    'serviceAccountTokenCreate',
    (values: Values) => ({
      path: { serviceAccount: account?.id ?? '' },
      body: tokenBodyOf(values),
    }),
    { onSuccess },
  )
  if (made) return <TokenMade token={made} onDismiss={onDismiss} />
  // The button that opens the form for a service account checks the roles.
  const create = account ? { ...ofAccount, calls: undefined } : own
  return (
    <TokenForm
      max={max}
      title={account?.name}
      // A service account of a project has rights in that project only.
      isScoped={!account?.projectId}
      create={create}
      onDismiss={onDismiss}
    />
  )
}

type FormProps = Pick<Props, 'max' | 'onDismiss'> & {
  create: Omit<ReturnType<typeof useApiForm<'currentUserAccessTokenCreate', Values>>, 'calls'> & {
    calls: string | undefined
  }
  /** The service account. */
  title: string | undefined
  /** Whether the token can be limited to projects. */
  isScoped: boolean
}

function TokenForm({ max, create, title, isScoped, onDismiss }: FormProps) {
  const usual = USUAL_DAYS * units.days
  const form = useForm<Values>({
    defaultValues: {
      name: '',
      access: 'full',
      within: 'all',
      projects: [],
      projectEntry: projectList.blank,
      lifetime: {
        limit: max !== null && max < usual ? 'none' : 'some',
        amount: USUAL_DAYS,
        unit: 'days',
      },
    },
  })
  const { control } = form
  const within = useWatch({ control, name: 'within' })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="access token"
      subtitle={title}
      {...create}
      onDismiss={onDismiss}
    >
      <NameField control={control} />
      <RadioField
        control={control}
        name="access"
        label="Rights"
        column
        items={tokenAccesses.map((access) => ({
          value: access,
          label: accessWords[access],
          description: descriptions[access],
        }))}
      />
      {isScoped && (
        <RadioField
          control={control}
          name="within"
          label="Projects"
          items={[
            { value: 'all', label: 'All' },
            { value: 'some', label: 'Only these' },
          ]}
        />
      )}
      {within === 'some' && <ProjectsField />}
      <LifetimeFields
        none={{
          label: max === null ? 'Never expires' : `As long as possible (${lifetimeText(max)})`,
        }}
        max={max ?? undefined}
      />
    </SideModalForm>
  )
}

function ProjectsField() {
  const projects = useQuery(apiQuery('projectList', { query: { limit: ALL_ITEMS } }))
  const { items, remove, field, subForm } = useListEntry(projectList, 'projects', 'projectEntry')
  const choices = choicesOf(projects, ({ name }) => ({ value: name, label: name }))
  const entry = field('project')
  return (
    <div className="flex flex-col gap-3">
      <SubForm addLabel="Add project" {...subForm}>
        <ComboboxField
          {...entry}
          {...choices}
          options={choices.options.filter(({ value }) => !items.includes(value))}
          label="Project"
          allowCustom
          validate={(project: string) =>
            items.length === 0 && project === '' ? 'Add at least one project' : entry.validate()
          }
          empty="No other project"
        />
      </SubForm>
      <MiniTable
        label="Projects"
        columns={[
          {
            id: 'name',
            header: 'Name',
            cell: (name: string) => <span className="wrap-anywhere">{name}</span>,
          },
        ]}
        items={items}
        rowKey={(name) => name}
        onRemove={remove}
        removeLabel={(name) => `remove project ${name}`}
      />
    </div>
  )
}

/** Shows a new token, once. */
const TokenMade = ({ token, onDismiss }: { token: NewAccessToken; onDismiss: () => void }) => (
  <SecretModal
    title="Access token created"
    notice="You won’t see this token again. Copy it now, and keep it as safe as a password."
    secrets={[
      { label: 'Token', text: token.token },
      {
        label: 'Variables for the command line tool, Terraform and CI',
        text: `export OXIDE_HOST=${window.location.origin}\nexport OXIDE_TOKEN=${token.token}`,
      },
    ]}
    onDismiss={onDismiss}
  />
)
