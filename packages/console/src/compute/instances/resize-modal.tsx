import type { Instance } from '@steading/api/client'
import {
  cpuFieldProblem,
  GiB,
  INSTANCE_MAX_CPUS,
  INSTANCE_MAX_MEMORY,
  instanceCannot,
  memoryFieldProblem,
} from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import { useWatch, type Control } from 'react-hook-form'
import { useEditForm } from '../../forms/use-edit-form.tsx'
import { Banner } from '../../ui/banner.tsx'
import { ModalForm } from '../../ui/form/modal-form.tsx'
import { NumberField } from '../../ui/form/number-field.tsx'
import { TextLink } from '../../ui/link.tsx'
import { addToast } from '../../ui/toasts.tsx'
import { instanceUpdate, instanceQuery, showInstance } from './queries.ts'
import { quotaRows, utilizationQuery } from './quota.ts'

type Size = { ncpus: number; memory: number }

const vcpusText = (count: number) => `${count} vCPU${count === 1 ? '' : 's'}`
const signed = (difference: number) => (difference < 0 ? `−${-difference}` : `+${difference}`)

/** A running instance counts all its CPUs and memory against the quota. */
const neededBy = ({ ncpus, memory }: Size) => ({ cpus: ncpus, memory: memory * GiB, storage: 0 })

const shorten = (name: string) => (name.length > 20 ? `${name.slice(0, 19)}…` : name)

type ResizeModalProps = {
  project: string
  instance: Instance
  onDismiss: () => void
  /** Adds a link to the instance to the toast, for the list. */
  linkToInstance?: boolean
}

export default function ResizeModal(props: ResizeModalProps) {
  const { project, instance, onDismiss, linkToInstance } = props
  const { name, ncpus, memory, runState } = instance
  const { form, ...update } = useEditForm('instanceUpdate', {
    mode: 'onChange',
    resource: 'instance',
    read: instanceQuery({ project, instance: name }),
    opened: instance,
    valuesOf: (read: Instance): Size => ({ ncpus: read.ncpus, memory: read.memory / GiB }),
    fields: { ncpus: 'vCPUs', memory: 'Memory (GiB)' },
    argsOf: (values, newest) => ({
      path: { instance: name },
      query: { project },
      body: instanceUpdate(newest, { ncpus: values.ncpus, memory: values.memory * GiB }),
    }),
    onSuccess: (updated) => {
      showInstance(project, updated)
      sayResized(project, name, linkToInstance)
      onDismiss()
    },
  })
  const { isValid, isDirty } = form.formState
  const impossible = Boolean(instanceCannot('resize', runState))
  return (
    <ModalForm
      form={form}
      title="Resize instance"
      submitLabel="Resize"
      {...update}
      onDismiss={onDismiss}
      submitDisabled={impossible || !isValid || !isDirty}
    >
      {impossible ? (
        <Banner variant="error">An instance must be stopped to be resized</Banner>
      ) : (
        <Banner>
          Current (<span title={name}>{shorten(name)}</span>): {vcpusText(ncpus)} / {memory / GiB}{' '}
          GiB
        </Banner>
      )}
      <div className="grid min-h-24 grid-cols-2 gap-4">
        <NumberField
          name="ncpus"
          label="vCPUs"
          description={`At most ${INSTANCE_MAX_CPUS}`}
          control={form.control}
          min={1}
          disabled={impossible}
          validate={cpuFieldProblem}
        />
        <NumberField
          name="memory"
          label="Memory"
          units="GiB"
          description={`At most ${INSTANCE_MAX_MEMORY / GiB} GiB`}
          control={form.control}
          min={1}
          disabled={impossible}
          validate={memoryFieldProblem}
        />
      </div>
      <Outcome instance={instance} control={form.control} isValid={isValid} />
    </ModalForm>
  )
}

type OutcomeProps = { instance: Instance; control: Control<Size>; isValid: boolean }

/** The new size of the instance, and whether it fits the quota. */
function Outcome({ instance, control, isValid }: OutcomeProps) {
  const size = useWatch({ control }) as Size
  const outcome = useQuery(utilizationQuery).data
  const more = { ncpus: size.ncpus - instance.ncpus, memory: size.memory - instance.memory / GiB }
  const changes = [
    more.ncpus !== 0 && `${signed(more.ncpus)} ${Math.abs(more.ncpus) === 1 ? 'vCPU' : 'vCPUs'}`,
    more.memory !== 0 && `${signed(more.memory)} GiB`,
  ].filter(Boolean)
  const rows = outcome?.type === 'success' ? quotaRows(outcome.data, neededBy(size), false) : []
  const warnings = rows.flatMap(({ warning }) => warning ?? [])
  return (
    // Reserves room for a warning, so that the dialog keeps its height.
    <div aria-live="polite" className="min-h-11 text-secondary tabular-nums">
      {!isValid ? null : changes.length === 0 ? (
        'Change a value to see the new size.'
      ) : (
        <>
          New:{' '}
          <span className="font-medium text-primary">
            {vcpusText(size.ncpus)} / {size.memory} GiB
          </span>{' '}
          ({changes.join(', ')})
          {warnings.map((warning) => (
            <span key={warning} className="mt-1 flex items-start gap-1.5 text-xs text-amber-text">
              <TriangleAlert size={14} strokeWidth={1.5} aria-hidden className="mt-px shrink-0" />
              {warning}
            </span>
          ))}
        </>
      )}
    </div>
  )
}

const sayResized = (project: string, name: string, linkToInstance = false) =>
  addToast({
    content: (
      <>
        Instance <b>{name}</b> resized
      </>
    ),
    link: linkToInstance && (
      <TextLink
        to="/projects/$project/instances/$instance/storage"
        params={{ project, instance: name }}
      >
        View instance
      </TextLink>
    ),
  })
