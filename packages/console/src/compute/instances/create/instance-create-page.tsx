import type { Instance, InstanceCreate } from '@steading/api/client'
import { randomSuffix } from '@steading/api/rules'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { BookmarkPlus, ChevronUp, Cpu } from 'lucide-react'
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form'
import { uint8ArrayToBase64 } from 'uint8array-extras'
import { asCode } from '../../../workspace/as-code/as-code.tsx'
import { base64Of, call } from '../../../workspace/as-code/steps.ts'
import { invalidate, useApiMutation } from '../../../data/api.ts'
import { seedAnswer } from '../../../data/seed-answer.ts'
import { useCapability } from '../../../data/capabilities.ts'
import { DraftNotice, useDraft } from '../../../forms/use-draft.tsx'
import { DescriptionField, NameField } from '../../../forms/name-fields.tsx'
import { pathTo } from '../../../data/addresses.ts'
import { PageFormBar } from '../../../forms/page-form-bar.tsx'
import { PageFormGuard } from '../../../page/page-form-guard.tsx'
import { Button } from '../../../ui/button.tsx'
import { useCodeView } from '../../../ui/code-view.tsx'
import { DialogPart } from '../../../ui/dialog.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { DocsPopover, PageHeader } from '../../../ui/page-header.tsx'
import { CheckboxField } from '../../../ui/form/choice-fields.tsx'
import { FormCode, useLiveErrors } from '../../../ui/form/form-state.tsx'
import { addToast } from '../../../ui/toasts.tsx'
import { imageLists } from '../../../storage/images/queries.ts'
import { AdditionalDisksSection } from './additional-disks-section.tsx'
import { AdvancedSection } from './advanced-section.tsx'
import { BootDiskSection } from './boot-disk-section.tsx'
import { bootSource, notReady } from './boot-source.ts'
import { defaultValues, useLatePresets } from './default-values.ts'
import { useFailedField } from './failed-field.ts'
import { HardwareSection } from './hardware-section.tsx'
import { NetworkingSection } from './networking-section.tsx'
import { isLoaded, useOffer, type Offer } from './queries.ts'
import { Section } from './section.tsx'
import { SshKeysSection } from './ssh-keys-section.tsx'
import { Summary, SummaryLine } from './summary.tsx'
import { diskPoolsOf, toInstanceCreate, userDataFile, type InstanceValues } from './values.ts'

const SaveAsTemplate = lazyPart(() => import('../../instance-templates/save-as-template.tsx'))

export function InstanceCreatePage() {
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  // Another project gets a new form.
  return <InstanceCreateForm key={project} project={project} />
}

/** Lists affected by creating an instance, or by other users in the meantime. */
const offered = [
  ...imageLists,
  'snapshotList',
  'diskList',
  'floatingIpList',
  'antiAffinityGroupList',
  'utilizationView',
] as const

function useCreateInstance(project: string, offer: Offer) {
  const navigate = useNavigate()
  // The guard must be off before leaving the page, so navigation waits for a render.
  const [created, setCreated] = useState(false)
  const options = {
    onError: () => void invalidate(...offered),
    onSuccess: (instance: Instance, { body }: { body: InstanceCreate }) => {
      const { name } = instance
      // The start often fails only later; the toast reports the state known so far.
      const refused = body.start !== false && instance.runState === 'stopped'
      setCreated(true)
      seedAnswer('instanceView', { path: { instance: name }, query: { project } }, instance)
      addToast({
        content: (
          <>
            Instance <b>{name}</b> created
            {refused && ', but it could not be started. Start it to see why.'}
          </>
        ),
      })
      void navigate({
        to: '/projects/$project/instances/$instance/storage',
        params: { project, instance: name },
        ignoreBlocker: true,
      })
    },
  }
  const create = useApiMutation('instanceCreate', options)
  const createIn = useApiMutation('storagePoolInstanceCreate', options)
  const [suffix] = useState(randomSuffix)
  const toBody = (values: InstanceValues, fileBase64: string | undefined): InstanceCreate => {
    // A key deleted in the meantime has no checkbox to clear.
    const sshKeys = isLoaded(offer, 'keys')
      ? values.sshKeys.filter((id) => offer.keys.some((key) => key.id === id))
      : values.sshKeys
    const source = bootSource(values, offer)
    return toInstanceCreate({ ...values, sshKeys }, source, suffix, fileBase64)
  }
  /** The request, with the contents of a file of user data. */
  const bodyOf = async (values: InstanceValues): Promise<InstanceCreate> => {
    const bytes = await userDataFile(values)?.arrayBuffer()
    return toBody(values, bytes && uint8ArrayToBase64(bytes))
  }
  const submit = async (values: InstanceValues) => {
    const body = await bodyOf(values)
    const diskPools = diskPoolsOf(values, body)
    // Only the newest attempt is shown.
    create.reset()
    createIn.reset()
    if (diskPools.length === 0) create.mutate({ query: { project }, body })
    else createIn.mutate({ path: { project }, body: { ...body, diskPools } })
  }
  const code = (values: InstanceValues) => {
    const file = userDataFile(values)
    const body = toBody(values, file && base64Of(file.name))
    const diskPools = diskPoolsOf(values, body)
    return asCode(
      diskPools.length === 0
        ? call('instanceCreate', { query: { project }, body })
        : call('storagePoolInstanceCreate', { path: { project }, body: { ...body, diskPools } }),
    )
  }
  return {
    submit,
    bodyOf,
    code,
    created,
    pending: create.isPending || createIn.isPending || created,
    error: createIn.error ?? create.error,
  }
}

/**
 * The choices for the summary. While the instance is being created, they stay as they were before:
 * afterwards, its disks are among the others, and its share of the quota is in use.
 */
function useOfferBefore(offer: Offer, pending: boolean): Offer {
  const [before, setBefore] = useState<Offer>()
  if (pending !== (before !== undefined)) setBefore(pending ? offer : undefined)
  return before ?? offer
}

function InstanceCreateForm({ project }: { project: string }) {
  const offer = useOffer(project)
  // Initial values must not change when lists are refetched.
  const [initial] = useState(() => defaultValues(offer))
  const form = useForm({ defaultValues: initial })
  const { submit, bodyOf, code, created, pending, error } = useCreateInstance(project, offer)
  const draft = useDraft(form, `instance in ${project}`, { without: ['userData'], done: created })
  useLatePresets(form, offer, draft.restored !== undefined)
  const boot = useWatch({ control: form.control, name: 'boot' })
  const codeView = useCodeView(() => <FormCode form={form} code={code} />)
  useFailedField(form, error)
  useLiveErrors(form)
  const id = useId()
  const hasTemplates = useCapability('instanceTemplates')
  const [template, setTemplate] = useState<InstanceCreate>()
  const part = { form, offer, disabled: pending }
  const summarized = useOfferBefore(offer, pending)
  return (
    <>
      <PageHeader title="Create instance" icon={<Cpu strokeWidth={1.5} aria-hidden />}>
        <DocsPopover
          topic="instances"
          summary="An instance is a virtual machine with the CPUs, memory, disks and network interfaces chosen here."
        />
        {hasTemplates && (
          <Button
            calls={{ operation: 'instanceTemplateCreate', about: ['project'] }}
            onClick={() => void bodyOf(form.getValues()).then(setTemplate)}
            icon={<BookmarkPlus size={16} strokeWidth={1.5} aria-hidden />}
          >
            Save as template
          </Button>
        )}
      </PageHeader>
      <div className="flex items-start gap-12 px-(--gutter) pb-6">
        <form
          id={id}
          autoComplete="off"
          noValidate
          onSubmit={(event) => {
            // The error of the previous attempt would block this one.
            form.clearErrors()
            void form.handleSubmit(submit)(event)
          }}
          className="max-w-[44rem] min-w-0 flex-1"
        >
          <DraftNotice {...draft} />
          <Section>
            <NameField control={form.control} disabled={pending} />
            <DescriptionField control={form.control} disabled={pending} />
            <CheckboxField name="start" control={form.control} disabled={pending}>
              Start Instance
            </CheckboxField>
          </Section>
          <HardwareSection form={form} disabled={pending} />
          <BootDiskSection project={project} {...part} />
          <AdditionalDisksSection project={project} {...part} />
          <SshKeysSection {...part} />
          <NetworkingSection project={project} {...part} />
          <AdvancedSection {...part} />
        </form>
        <aside
          aria-label="Summary"
          className="sticky top-[calc(var(--shell-top)+24px)] ms-auto max-h-[calc(100dvh-var(--shell-top)-104px)] w-80 shrink-0 overflow-y-auto rounded-card border bg-raised p-4 max-xl:hidden"
        >
          <h2 className="mb-4 text-base font-medium">Summary</h2>
          <Summary control={form.control} offer={summarized} />
        </aside>
      </div>
      <PageFormBar
        form={id}
        submit="Create instance"
        calls="instanceCreate"
        pending={pending}
        back={pathTo('/projects/$project/instances', { project })}
        code={codeView}
        error={error}
        disabledReason={notReady(offer, boot)}
      >
        <FoldedSummary form={form} offer={summarized} />
      </PageFormBar>
      <PageFormGuard active={form.formState.isDirty && !created} onLeave={draft.discard} />
      <DialogPart onDismiss={() => setTemplate(undefined)}>
        {template && (
          <SaveAsTemplate
            project={project}
            body={template}
            onDismiss={() => setTemplate(undefined)}
          />
        )}
      </DialogPart>
    </>
  )
}

type FoldedProps = { form: UseFormReturn<InstanceValues>; offer: Offer }

/** On narrow screens the summary is a line above the buttons that expands upwards. */
const FoldedSummary = ({ form: { control }, offer }: FoldedProps) => (
  <details className="group border-b xl:hidden">
    <summary className="focus-inset flex cursor-pointer list-none items-center gap-3 px-(--gutter) py-2 hover:bg-hover [&::-webkit-details-marker]:hidden">
      <span className="font-medium">Summary</span>
      <SummaryLine control={control} offer={offer} />
      <ChevronUp
        size={16}
        strokeWidth={1.5}
        aria-hidden
        className="shrink-0 text-tertiary transition-transform group-open:rotate-180"
      />
    </summary>
    <div className="max-h-[50dvh] max-w-xl overflow-y-auto px-(--gutter) pt-2 pb-4">
      <Summary control={control} offer={offer} />
    </div>
  </details>
)
