import { type InstanceFromTemplate, toWire } from '@steading/api/client'
import {
  asSentence,
  isUuid,
  nameFieldProblem,
  TEMPLATE_COUNT_MAX,
  TEMPLATE_NUMBER_MAX,
  templateInstanceNames,
} from '@steading/api/rules'
import { fillTemplate, type TemplateVariable, templateValues } from '@steading/api/templates'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Boxes, Pencil } from 'lucide-react'
import { useState } from 'react'
import { type Control, useForm, useWatch } from 'react-hook-form'
import { usePrefetchedQuery } from '../../data/api.ts'
import { pathTo } from '../../data/addresses.ts'
import { NameField } from '../../forms/name-fields.tsx'
import { PageForm } from '../../forms/page-form.tsx'
import { DraftNotice, useDraft } from '../../forms/use-draft.tsx'
import { Banner } from '../../ui/banner.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { TextLink } from '../../ui/link.tsx'
import { formatNumber } from '../../ui/number.ts'
import { DocsPopover, PageHeader } from '../../ui/page-header.tsx'
import { addToast, doneToast } from '../../ui/toasts.tsx'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { FoldedJson } from './json-preview.tsx'
import type { Stored } from './places.ts'
import { templateArgs, templateQuery } from './queries.ts'
import { initialValue, sentValues, type UseValues, VariableField } from './variable-field.tsx'
import { templateDocs } from './labels.ts'

/** The request for the first of the instances, or the reason why it is not complete. */
function requestOf(instance: Stored, variables: TemplateVariable[], values: UseValues) {
  try {
    const [name] = namesOf(values)
    const given = templateValues(variables, sentValues(variables, values.values))
    return { value: fillTemplate(instance, name || '…', given) }
  } catch (error) {
    return { problem: (error as Error).message }
  }
}

/** More than one instance has a number each, and so does one with a number given. */
const firstNumber = ({ firstNumber: first }: UseValues): number | null =>
  Number.isNaN(first) ? null : first
const namesOf = (values: UseValues): string[] =>
  templateInstanceNames(values.name, values.count || 1, firstNumber(values))

type PreviewProps = {
  instance: Stored
  variables: TemplateVariable[]
  control: Control<UseValues>
}

function Preview({ instance, variables, control }: PreviewProps) {
  const values = useWatch({ control }) as UseValues
  const { value, problem } = requestOf(instance, variables, values)
  const [first, ...others] = namesOf(values)
  const title = others.length === 0 ? 'Request' : `Request for ${first}`
  return <FoldedJson title={title} value={value} problem={asSentence(problem)} />
}

/** The instances that were refused, while others were created. */
function Report({ project, items }: { project: string; items: InstanceFromTemplate[] }) {
  const made = items.filter(({ instance }) => instance)
  return (
    <Banner
      variant="error"
      title={`${formatNumber(made.length)} of ${formatNumber(items.length)} instances were created`}
    >
      <ul className="flex flex-col gap-1">
        {items.map(({ name, instance, message }) => (
          <li key={name} className="wrap-anywhere">
            {instance ? (
              <>
                <TextLink
                  to="/projects/$project/instances/$instance/storage"
                  params={{ project, instance: name }}
                >
                  {name}
                </TextLink>{' '}
                was created
              </>
            ) : (
              `${name}: ${message}`
            )}
          </li>
        ))}
      </ul>
      <p className="mt-2">Creating them again makes only those that are missing.</p>
    </Banner>
  )
}

export function UseTemplatePage() {
  const params = useParams({ strict: false }) as { project: string; template: string }
  return <UseTemplate key={`${params.project} ${params.template}`} {...params} />
}

function useCreated(project: string) {
  const navigate = useNavigate()
  // The guard must be off before the page is left, so navigation waits for a render.
  const [done, setDone] = useState(false)
  const [report, setReport] = useState<InstanceFromTemplate[]>()
  const onSuccess = ({ items }: { items: InstanceFromTemplate[] }) => {
    if (items.some(({ instance }) => !instance)) return setReport(items)
    setDone(true)
    const [only] = items
    if (items.length > 1) {
      addToast({ content: `${formatNumber(items.length)} instances created` })
      void navigate({
        to: '/projects/$project/instances',
        params: { project },
        ignoreBlocker: true,
      })
      return
    }
    doneToast('Instance', only!.name, 'created')
    void navigate({
      to: '/projects/$project/instances/$instance/storage',
      params: { project, instance: only!.name },
      ignoreBlocker: true,
    })
  }
  return { done, report, onSuccess, forget: () => setReport(undefined) }
}

function UseTemplate({ project, template: selector }: { project: string; template: string }) {
  const { data: template } = usePrefetchedQuery(templateQuery(selector, project))
  const instance = toWire(template.instance) as Stored
  // Answers have all fields; only requests may leave some out.
  const variables = template.variables as TemplateVariable[]
  const { done, report, onSuccess, forget } = useCreated(project)
  const form = useForm<UseValues>({
    defaultValues: {
      name: '',
      count: 1,
      firstNumber: Number.NaN,
      values: Object.fromEntries(variables.map((one) => [one.name, initialValue(one)])),
    },
  })
  const { control } = form
  const use = useApiForm(
    'instanceTemplateUse',
    (values: UseValues) => ({
      ...templateArgs(selector, project),
      body: {
        name: values.name,
        project: isUuid(selector) ? project : null,
        count: values.count,
        firstNumber: firstNumber(values),
        values: sentValues(variables, values.values),
      },
    }),
    { onSuccess },
  )
  const draft = useDraft(form, `instances of template ${template.id} in ${project}`, {
    without: [],
    done,
  })
  const saving = {
    ...use,
    calls: { operation: 'instanceTemplateUse', about: ['project'], project },
    onSubmit(values: UseValues) {
      forget()
      use.onSubmit(values)
    },
  }
  return (
    <>
      <PageHeader title={template.name} icon={<Boxes strokeWidth={1.5} aria-hidden />}>
        <DocsPopover {...templateDocs} />
        <LinkButton
          to={
            pathTo('/projects/$project/instance-templates/$template/edit', {
              project,
              template: selector,
            }) as '/'
          }
          icon={<Pencil size={16} strokeWidth={1.5} aria-hidden />}
        >
          Edit template
        </LinkButton>
      </PageHeader>
      <PageForm
        form={form}
        saving={saving}
        submit="Create"
        back={pathTo('/projects/$project/instance-templates', { project })}
        done={done}
      >
        {template.description && <p className="text-secondary">{template.description}</p>}
        <DraftNotice {...draft} />
        {report && <Report project={project} items={report} />}
        <NameField
          control={control}
          description="With several instances, a number is added: web-1, web-2"
          validate={(name) => nameFieldProblem(namesOf({ ...form.getValues(), name }).at(-1)!)}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <NumberField
            name="count"
            label="Instances"
            control={control}
            min={1}
            max={TEMPLATE_COUNT_MAX}
          />
          <NumberField
            name="firstNumber"
            label="First number"
            required={false}
            placeholder="1"
            control={control}
            max={TEMPLATE_NUMBER_MAX}
          />
        </div>
        {variables.map((variable) => (
          <VariableField
            key={variable.name}
            variable={variable}
            project={project}
            instance={instance}
            control={control}
          />
        ))}
        <Preview instance={instance} variables={variables} control={control} />
      </PageForm>
    </>
  )
}
