import type { Instance } from '@steading/api/client'
import { cpuFieldProblem, GiB, instanceCannot, memoryFieldProblem } from '@steading/api/rules'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../as-code/as-code.tsx'
import { Banner } from '../ui/banner.tsx'
import { ModalForm } from '../ui/form/modal-form.tsx'
import { NumberField } from '../ui/form/number-field.tsx'
import { TextLink } from '../ui/link.tsx'
import { addToast } from '../ui/toasts.tsx'
import { instanceUpdate } from './instance-update.ts'
import { showInstance } from './queries.ts'

const shorten = (name: string) => (name.length > 20 ? `${name.slice(0, 19)}…` : name)

type ResizeModalProps = {
  project: string
  instance: Instance
  onDismiss: () => void
  /** From the list, the toast leads to the instance. */
  linkToInstance?: boolean
}

export default function ResizeModal(props: ResizeModalProps) {
  const { project, instance, onDismiss, linkToInstance } = props
  const { name, ncpus, memory, runState } = instance
  const form = useForm({ mode: 'onChange', defaultValues: { ncpus, memory: memory / GiB } })
  const { isValid, isDirty } = form.formState
  const argsOf = (values: { ncpus: number; memory: number }) => ({
    path: { instance: name },
    query: { project },
    body: instanceUpdate(instance, { ncpus: values.ncpus, memory: values.memory * GiB }),
  })
  const update = useApiForm('instanceUpdate', argsOf, {
    onSuccess: (updated) => {
      showInstance(project, updated)
      sayResized(project, name, linkToInstance)
      onDismiss()
    },
  })
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
          Current (<span title={name}>{shorten(name)}</span>): {ncpus} vCPU{ncpus === 1 ? '' : 's'}{' '}
          / {memory / GiB} GiB
        </Banner>
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          name="ncpus"
          label="vCPUs"
          control={form.control}
          min={1}
          disabled={impossible}
          validate={cpuFieldProblem}
        />
        <NumberField
          name="memory"
          label="Memory"
          units="GiB"
          control={form.control}
          min={1}
          disabled={impossible}
          validate={memoryFieldProblem}
        />
      </div>
    </ModalForm>
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
