import type { SwitchPortSettingsDetails } from '@steading/api/client'
import { useNavigate, useParams } from '@tanstack/react-router'
import { SlidersHorizontal } from 'lucide-react'
import { useId, useState } from 'react'
import { useForm, type UseFormReturn } from 'react-hook-form'
import { portGeometries, portGeometryNames } from '@steading/api/rules'
import { asCode, useApiForm } from '../../workspace/as-code/as-code.tsx'
import { call } from '../../workspace/as-code/steps.ts'
import { PageFormBar } from '../../forms/page-form-bar.tsx'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { namedFields, useEditForm } from '../../forms/use-edit-form.tsx'
import { PageFormGuard } from '../../page/page-form-guard.tsx'
import { Banner } from '../../ui/banner.tsx'
import { useCodeView } from '../../ui/code-view.tsx'
import { FormCode, useLiveErrors } from '../../ui/form/form-state.tsx'
import { ListboxField } from '../../ui/form/listbox-field.tsx'
import type { Meanwhile } from '../../ui/form/side-modal-form.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { detailsQuery } from './queries.ts'
import { PeersSection } from './peers-section.tsx'
import { AddressesSection, InterfacesSection, LinksSection, RoutesSection } from './sections.tsx'
import { bodyOf, initialValues, type SettingsValues, valuesOf } from './values.ts'

const geometryOptions = portGeometryNames.map((value) => {
  const links = portGeometries[value]
  return { value, label: `${value} (${links} link${links === 1 ? '' : 's'})` }
})

/** The call as code, with placeholders for the secret keys. */
const codeOf = (values: SettingsValues) =>
  asCode(
    call('networkingSwitchPortSettingsCreate', {
      body: bodyOf({
        ...values,
        peers: values.peers.map((peer) => ({
          ...peer,
          md5AuthKey: peer.md5AuthKey && '<MD5 key>',
        })),
      }),
    }),
  )

type FormProps = Pick<
  ReturnType<typeof useApiForm<'networkingSwitchPortSettingsCreate', SettingsValues>>,
  'onSubmit' | 'loading' | 'submitError'
> & {
  form: UseFormReturn<SettingsValues>
  /** The existing settings, when editing. */
  existing?: SwitchPortSettingsDetails
  meanwhile?: Meanwhile
  done: boolean
}

function useSaved(what: 'created' | 'updated') {
  const navigate = useNavigate()
  // The guard must be off before leaving the page, so navigation waits for a render.
  const [done, setDone] = useState(false)
  const onSuccess = ({ name }: { name: string }) => {
    setDone(true)
    doneToast('Port settings', name, what)
    void navigate({
      to: '/system/networking/port-settings/$portSettings',
      params: { portSettings: name },
      ignoreBlocker: true,
    })
  }
  return { done, onSuccess }
}

const argsOf = (values: SettingsValues) => ({ body: bodyOf(values) })

/**
 * The form for new and existing settings. Existing ones are saved under their name, which cannot be
 * changed.
 */
function SettingsForm(props: FormProps) {
  const { form, existing, meanwhile, done, onSubmit, loading, submitError } = props
  const { control } = form
  const ports = existing?.ports.map(({ name }) => name) ?? []
  const codeView = useCodeView(() => <FormCode form={form} code={codeOf} />)
  useLiveErrors(form)
  const id = useId()
  const pending = loading || done
  return (
    <>
      <PageHeader
        title={existing ? `Edit ${existing.name}` : 'New port settings'}
        icon={<SlidersHorizontal strokeWidth={1.5} aria-hidden />}
      />
      <form
        id={id}
        autoComplete="off"
        noValidate
        onSubmit={(event) => void form.handleSubmit(onSubmit)(event)}
        className="max-w-[44rem] min-w-0 px-(--gutter) pb-6"
      >
        {ports.length > 0 && (
          <Banner variant="notice" title={`Applied to ${ports.join(', ')}`} className="mb-5">
            Changes take effect there at once. Unchanged links and sessions are not interrupted.
          </Banner>
        )}
        <section className="flex flex-col gap-5 border-b pb-7">
          {!existing && <NameField control={control} />}
          <DescriptionField control={control} />
          <ListboxField
            name="geometry"
            label="Geometry"
            description="How the lanes of the port are divided into links"
            control={control}
            options={geometryOptions}
          />
        </section>
        <LinksSection control={control} />
        <AddressesSection control={control} />
        <RoutesSection control={control} />
        <PeersSection control={control} />
        <InterfacesSection control={control} />
      </form>
      <PageFormBar
        form={id}
        submit={existing ? 'Update port settings' : 'Create port settings'}
        calls="networkingSwitchPortSettingsCreate"
        pending={pending}
        back="/system/networking/port-settings"
        code={codeView}
        error={submitError}
        meanwhile={meanwhile}
      />
      <PageFormGuard active={form.formState.isDirty && !done} />
    </>
  )
}

export function PortSettingsCreatePage() {
  const form = useForm({ defaultValues: initialValues })
  const { done, onSuccess } = useSaved('created')
  const create = useApiForm('networkingSwitchPortSettingsCreate', argsOf, { onSuccess })
  return <SettingsForm form={form} {...create} done={done} />
}

const countOf = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

export function PortSettingsEditPage() {
  const { portSettings } = useParams({
    from: '/shell/system/port-settings-crumb/system/networking/port-settings/$portSettings/edit',
  })
  const { done, onSuccess } = useSaved('updated')
  const { form, opened, ...update } = useEditForm('networkingSwitchPortSettingsCreate', {
    resource: 'port settings',
    read: detailsQuery(portSettings),
    valuesOf,
    fields: {
      ...namedFields,
      geometry: 'Geometry',
      links: { label: 'Links', text: (links) => links.map((link) => link.linkName).join(', ') },
      interfaces: { label: 'Interfaces', text: (some) => countOf(some.length, 'interface') },
      addresses: {
        label: 'Addresses',
        text: (addresses) => addresses.map(({ address }) => address).join(', '),
      },
      routes: {
        label: 'Routes',
        text: (routes) => routes.map(({ dst, gw }) => `${dst} by ${gw}`).join(', '),
      },
      peers: {
        label: 'BGP peers',
        text: (peers) => peers.map(({ targetAddr, linkName }) => targetAddr || linkName).join(', '),
      },
    },
    argsOf,
    onSuccess,
  })
  return <SettingsForm form={form} existing={opened} {...update} done={done} />
}
