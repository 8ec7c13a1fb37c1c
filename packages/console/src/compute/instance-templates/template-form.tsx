import { type InstanceTemplateDetails, toWire } from '@steading/api/client'
import { asSentence, GiB, NAME_VARIABLE } from '@steading/api/rules'
import {
  sampleInstances,
  type TemplateVariable,
  templateProblem,
  withRenamedVariable,
} from '@steading/api/templates'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ArrowDown, ArrowUp, Boxes, Pencil, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type Control, useForm, type UseFormReturn, useWatch } from 'react-hook-form'
import { apiQuery } from '../../data/api.ts'
import { pathTo } from '../../data/addresses.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { PageForm, type Saving } from '../../forms/page-form.tsx'
import { DraftNotice, useDraft } from '../../forms/use-draft.tsx'
import { useEditForm } from '../../forms/use-edit-form.tsx'
import { QueryError } from '../../page/query-error.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { CheckboxInput } from '../../ui/checkbox-input.tsx'
import { DialogPart } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { DocsPopover, PageHeader } from '../../ui/page-header.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { JsonPreview } from './json-preview.tsx'
import {
  asFixed,
  asVariable,
  type Edited,
  type Place,
  placesIn,
  type Stored,
  unusedVariables,
} from './places.ts'
import { templateArgs, templateQuery } from './queries.ts'
import { defaultWords, templateDocs, typeLabels, valueLabels } from './labels.ts'

const VariableModal = lazyPart(() => import('./variable-modal.tsx'))

type Values = {
  name: string
  description: string
  /** JSON, in the spelling of the API. */
  instance: string
  variables: TemplateVariable[]
}

const written = (instance: unknown) => JSON.stringify(instance, null, 2)

/** The typed instance; undefined if it is no JSON object. */
function parsed(text: string): Stored | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Stored)
      : undefined
  } catch {
    return undefined
  }
}

const problemOf = ({ instance, variables }: Pick<Values, 'instance' | 'variables'>) => {
  const value = parsed(instance)
  if (!value) return 'Must be a JSON object'
  return asSentence(templateProblem(value, variables))
}

const bodyOf = ({ name, description, instance, variables }: Values) => ({
  name,
  description,
  instance: parsed(instance) ?? {},
  variables,
})

/** A small instance with a boot disk of an image that is asked for. */
const start = (): Edited => {
  const instance = {
    ncpus: 2,
    memory: 8 * GiB,
    boot_disk: {
      type: 'create',
      name: `\${${NAME_VARIABLE}}-boot`,
      description: '',
      size: 10 * GiB,
      disk_backend: {
        type: 'distributed',
        disk_source: { type: 'image', image_id: '', read_only: false },
      },
    },
    network_interfaces: { type: 'default_dual_stack' },
    start: true,
  }
  const image = placesIn(instance).find(({ type }) => type === 'image')!
  const { variables, ...rest } = asVariable({ instance, variables: [] }, image)
  return { ...rest, variables: variables.map((one) => ({ ...one, default: null })) }
}

type PartProps = { form: UseFormReturn<Values> }

function useEdited({ form }: PartProps) {
  const { control, setValue } = form
  const [text, variables] = useWatch({ control, name: ['instance', 'variables'] })
  const instance = parsed(text)
  const options = { shouldDirty: true, shouldTouch: true }
  return {
    instance,
    variables,
    change(next: Edited) {
      setValue('instance', written(next.instance), options)
      setValue('variables', next.variables, options)
      form.clearErrors('instance')
    },
  }
}

/** The fields of the instance, each with a check box that makes a variable of it. */
function PlacesField(props: PartProps) {
  const { instance, variables, change } = useEdited(props)
  if (!instance) return null
  const places = placesIn(instance)
  const valueOf = ({ type, value, variable }: Place): string => {
    if (variable) return `Variable ${variable}`
    if (value === undefined) return type === 'ssh_key' ? "All of the user's SSH keys" : 'The name'
    return typeof value === 'object' ? '' : valueLabels(type, value) || 'Empty'
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="mb-1.5 font-medium">Ask for</legend>
      <div className="grid gap-x-6 gap-y-2 sm:grid-cols-2">
        {places.map((place) => (
          <label key={place.path.join('.')} className="flex items-start gap-2">
            <CheckboxInput
              className="mt-0.5"
              checked={place.variable !== undefined}
              onChange={() =>
                change(
                  place.variable
                    ? asFixed({ instance, variables }, place)
                    : asVariable({ instance, variables }, place),
                )
              }
            />
            <span className="min-w-0">
              {place.label}
              <span className="block text-xs text-secondary wrap-anywhere">{valueOf(place)}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** The variables with their rules, in the order in which the form asks for them. */
function VariablesField(props: PartProps) {
  const { instance, variables, change } = useEdited(props)
  const { setValue } = props.form
  const [open, setOpen] = useState<{ variable?: TemplateVariable }>()
  const put = (next: TemplateVariable[]) => setValue('variables', next, { shouldDirty: true })
  const save = (saved: TemplateVariable) => {
    const before = open?.variable
    if (!before) return put([...variables, saved])
    const next = variables.map((one) => (one.name === before.name ? saved : one))
    if (saved.name === before.name || !instance) return put(next)
    const renamed = withRenamedVariable(instance, before.name, saved.name) as Stored
    change({ instance: renamed, variables: next })
  }
  const move = (index: number, by: -1 | 1) =>
    put(variables.with(index, variables[index + by]!).with(index + by, variables[index]!))
  return (
    <section aria-labelledby="variables" className="flex flex-col gap-2">
      <h2 id="variables" className="font-medium">
        Variables
      </h2>
      {variables.length > 0 && (
        <ul className="divide-y divide-line rounded-control border bg-raised">
          {variables.map((variable, index) => {
            const preset = defaultWords(variable)
            return (
              <li key={variable.name} className="flex items-center gap-3 px-3 py-1.5">
                <span className="min-w-0 flex-1">
                  <span className="wrap-anywhere">{variable.label}</span>
                  <span className="block text-xs text-secondary wrap-anywhere">
                    <code>{variable.name}</code>, {typeLabels[variable.type].toLowerCase()}
                    {!variable.required && ', optional'}
                    {preset !== undefined && `, by default ${preset}`}
                  </span>
                </span>
                {variables.length > 1 && (
                  <span className="flex">
                    <IconButton
                      label={`Move variable ${variable.name} up`}
                      size="sm"
                      disabled={index === 0}
                      onClick={() => move(index, -1)}
                      icon={<ArrowUp size={14} strokeWidth={1.5} aria-hidden />}
                    />
                    <IconButton
                      label={`Move variable ${variable.name} down`}
                      size="sm"
                      disabled={index === variables.length - 1}
                      onClick={() => move(index, 1)}
                      icon={<ArrowDown size={14} strokeWidth={1.5} aria-hidden />}
                    />
                  </span>
                )}
                <IconButton
                  label={`Edit variable ${variable.name}`}
                  size="sm"
                  onClick={() => setOpen({ variable })}
                  icon={<Pencil size={14} strokeWidth={1.5} aria-hidden />}
                />
              </li>
            )
          })}
        </ul>
      )}
      <div>
        <Button
          size="sm"
          onClick={() => setOpen({})}
          icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
        >
          Add variable
        </Button>
      </div>
      <DialogPart onDismiss={() => setOpen(undefined)}>
        {open && (
          <VariableModal
            variable={open.variable}
            taken={variables.filter((one) => one !== open.variable).map(({ name }) => name)}
            canRename={instance !== undefined}
            onDismiss={() => setOpen(undefined)}
            onSave={save}
          />
        )}
      </DialogPart>
    </section>
  )
}

/** A variable that was declared and is not used, with a way to take it away. */
function UnusedNotice(props: PartProps) {
  const { instance, variables } = useEdited(props)
  const { setValue } = props.form
  if (!instance) return null
  const unused = unusedVariables({ instance, variables })
  if (unused.length === 0) return null
  return (
    <p className="text-secondary">
      {unused.map(({ name }) => name).join(', ')}: not used yet. Write{' '}
      <code>{`\${${unused[0]!.name}}`}</code> into a text of the instance, or{' '}
      <code>{`{"$variable": "${unused[0]!.name}"}`}</code> in place of a value.{' '}
      <Button
        variant="ghost"
        size="sm"
        onClick={() =>
          setValue(
            'variables',
            variables.filter((one) => !unused.includes(one)),
            { shouldDirty: true },
          )
        }
      >
        Remove unused variables
      </Button>
    </p>
  )
}

/** The request that the template makes with defaults and sample values. */
function Preview({ control }: { control: Control<Values> }) {
  const [text, variables] = useWatch({ control, name: ['instance', 'variables'] })
  const problem = problemOf({ instance: text, variables })
  const instance = parsed(text)
  const sample =
    problem || !instance ? undefined : sampleInstances(instance, variables).next().value
  return (
    <JsonPreview title="Request with sample values" value={sample ?? undefined} problem={problem} />
  )
}

type FormProps = {
  title: string
  submit: string
  back: string
  form: UseFormReturn<Values>
  saving: Saving<Values>
  done: boolean
  draft?: ReturnType<typeof useDraft<Values>>
}

function TemplateForm({ title, draft, ...props }: FormProps) {
  const { form } = props
  return (
    <>
      <PageHeader title={title} icon={<Boxes strokeWidth={1.5} aria-hidden />}>
        <DocsPopover {...templateDocs} />
      </PageHeader>
      <PageForm {...props} preview={<Preview control={form.control} />}>
        {draft && <DraftNotice {...draft} />}
        <NameField control={form.control} />
        <DescriptionField control={form.control} />
        <PlacesField form={form} />
        <VariablesField form={form} />
        <UnusedNotice form={form} />
        <TextField
          name="instance"
          label="Instance"
          description={
            'The request that creates an instance, as JSON. {"$variable": "x"} stands for a value, ${x} for a part of a text, and ${name} for the name of the instance. Everyone who sees the template sees this, including user data: keep secrets out of it.'
          }
          rows={24}
          mono
          required
          control={form.control}
          validate={(_, values) => problemOf(values)}
        />
      </PageForm>
    </>
  )
}

function useSaved(project: string | undefined) {
  const navigate = useNavigate()
  // The guard must be off before the page is left, so navigation waits for a render.
  const [done, setDone] = useState(false)
  return {
    done,
    saved: (what: string) => ({
      onSuccess: ({ name }: { name: string }) => {
        setDone(true)
        doneToast('Template', name, what)
        void navigate({ to: listPath(project) as '/', ignoreBlocker: true })
      },
    }),
  }
}

const listPath = (project: string | undefined) =>
  project
    ? pathTo('/projects/$project/instance-templates', { project })
    : pathTo('/instance-templates')

type Params = { project?: string; template?: string }

/** The form of a template, of a project or the silo: a new one, or one that exists. */
export function TemplatePage() {
  const { project, template } = useParams({ strict: false }) as Params
  const { from } = useSearch({ strict: false }) as { from?: string }
  return template === undefined ? (
    <CreateTemplate key={`${project} ${from}`} project={project} from={from} />
  ) : (
    <EditTemplate key={`${project} ${template}`} project={project} template={template} />
  )
}

function CreateTemplate({ project, from }: { project?: string; from?: string }) {
  const { done, saved } = useSaved(project)
  const create = useApiForm(
    'instanceTemplateCreate',
    (values: Values) => ({ query: project ? { project } : {}, body: bodyOf(values) }),
    saved('created'),
  )
  const [initial] = useState(() => {
    const { instance, variables } = start()
    return { name: '', description: '', instance: written(instance), variables }
  })
  const form = useForm<Values>({ defaultValues: initial })
  const draft = useDraft(form, `template ${from ?? ''} in ${project ?? 'the silo'}`, {
    without: [],
    done,
  })
  const source = useQuery({
    ...apiQuery('instanceTemplateDraft', {
      path: { instance: from ?? '' },
      query: { project },
    }),
    enabled: from !== undefined,
    staleTime: Infinity,
  })
  const described = source.data && written(toWire(source.data.instance))
  useEffect(() => {
    if (described === undefined || form.getFieldState('instance').isDirty) return
    form.reset({ ...form.getValues(), instance: described, variables: [] })
  }, [form, described])
  return (
    <>
      <QueryError error={source.error} onRetry={source.refetch} />
      <TemplateForm
        title={from ? `New template from ${from}` : 'New template'}
        submit="Create template"
        back={listPath(project)}
        form={form}
        saving={{
          ...create,
          calls: {
            operation: 'instanceTemplateCreate',
            about: [project ? 'project' : 'silo_instance_template'],
          },
        }}
        done={done}
        draft={draft}
      />
    </>
  )
}

const editedFields = {
  name: 'Name',
  description: 'Description',
  instance: 'Instance',
  variables: {
    label: 'Variables',
    text: (variables: TemplateVariable[]) => variables.map(({ name }) => name).join(', '),
  },
}

function EditTemplate({ project, template }: { project?: string; template: string }) {
  const { done, saved } = useSaved(project)
  const { form, opened, ...saving } = useEditForm('instanceTemplateUpdate', {
    resource: 'template',
    read: templateQuery(template, project),
    valuesOf: ({ name, description, instance, variables }: InstanceTemplateDetails): Values => ({
      name,
      description,
      instance: written(toWire(instance)),
      variables: variables as TemplateVariable[],
    }),
    fields: editedFields,
    argsOf: (values: Values) => ({ ...templateArgs(template, project), body: bodyOf(values) }),
    ...saved('updated'),
  })
  return (
    <TemplateForm
      title={`Edit ${opened.name}`}
      submit="Update template"
      back={listPath(project)}
      form={form}
      saving={{
        ...saving,
        calls: {
          operation: 'instanceTemplateUpdate',
          about: [opened.projectId ? 'instance_template' : 'silo_instance_template'],
        },
      }}
      done={done}
    />
  )
}
