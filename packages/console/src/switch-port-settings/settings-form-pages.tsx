import { useNavigate, useParams } from '@tanstack/react-router'
import { CircleX, SlidersHorizontal } from 'lucide-react'
import { useId, useState } from 'react'
import { useForm } from 'react-hook-form'
import { portGeometries, portGeometryNames } from '@steading/api/rules'
import { asCode, useApiForm } from '../as-code/as-code.tsx'
import { call } from '../as-code/steps.ts'
import { invalidate, usePrefetchedQuery } from '../data/api.ts'
import { saidOf } from '../external-connectivity/said.tsx'
import { DescriptionField, NameField } from '../forms/name-fields.tsx'
import { BottomBar } from '../page/bottom-bar.tsx'
import { PageFormGuard } from '../page/page-form-guard.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button, LinkButton } from '../ui/button.tsx'
import { useCodeView } from '../ui/code-view.tsx'
import { FormCode } from '../ui/form/form-code.tsx'
import { ListboxField } from '../ui/form/listbox-field.tsx'
import { useLiveErrors } from '../ui/form/live-errors.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { detailsQuery } from './queries.ts'
import { PeersSection } from './peers-section.tsx'
import { AddressesSection, InterfacesSection, LinksSection, RoutesSection } from './sections.tsx'
import { bodyOf, initialValues, type SettingsValues, valuesOf } from './values.ts'

const geometryOptions = portGeometryNames.map((value) => {
  const links = portGeometries[value]
  return { value, label: `${value} (${links} link${links === 1 ? '' : 's'})` }
})

/** The call as code, with placeholders for the keys, which are secrets. */
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

/** An existing document is written again under its name, which cannot be changed. */
function SettingsForm({
  initial,
  existing,
  ports = [],
}: {
  initial: SettingsValues
  existing?: true
  ports?: string[]
}) {
  const navigate = useNavigate()
  const form = useForm({ defaultValues: initial })
  const { control } = form
  // The guard must be off before the page is left, so the navigation waits for a render.
  const [done, setDone] = useState(false)
  const { onSubmit, loading, submitError } = useApiForm(
    'networkingSwitchPortSettingsCreate',
    (values: SettingsValues) => ({ body: bodyOf(values) }),
    {
      onSuccess: ({ name }) => {
        setDone(true)
        void invalidate(
          'networkingSwitchPortSettingsList',
          'networkingSwitchPortSettingsDetails',
          'networkingSwitchPortList',
          'networkingAddressLotList',
          'networkingBgpStatus',
        )
        saidOf('Port settings', name, existing ? 'updated' : 'created')
        void navigate({
          to: '/system/networking/port-settings/$portSettings',
          params: { portSettings: name },
          ignoreBlocker: true,
        })
      },
    },
  )
  const codeView = useCodeView(() => <FormCode form={form} code={codeOf} />)
  useLiveErrors(form)
  const id = useId()
  const pending = loading || done
  return (
    <>
      <PageHeader
        title={existing ? `Edit ${initial.name}` : 'New port settings'}
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
            Changes take effect there at once. Links and sessions that stay the same go on.
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
      <BottomBar>
        {codeView.view && <div className="border-b">{codeView.view}</div>}
        <div className="flex min-h-14 flex-wrap items-center gap-x-3 gap-y-2 px-(--gutter) py-2.5">
          <Button
            variant="primary"
            type="submit"
            calls="networkingSwitchPortSettingsCreate"
            form={id}
            loading={pending}
          >
            {existing ? 'Update port settings' : 'Create port settings'}
          </Button>
          <LinkButton to="/system/networking/port-settings">Cancel</LinkButton>
          {codeView.toggle}
          <div aria-live="assertive" className="min-w-0 flex-1 basis-48">
            {submitError && !pending && (
              <span className="flex items-start gap-1.5 text-red-text">
                <CircleX size={16} strokeWidth={1.5} aria-hidden className="mt-0.5 shrink-0" />
                <span className="min-w-0 wrap-anywhere">{submitError.message}</span>
              </span>
            )}
          </div>
        </div>
      </BottomBar>
      <PageFormGuard active={form.formState.isDirty && !done} />
    </>
  )
}

export const PortSettingsCreatePage = () => <SettingsForm initial={initialValues} />

export function PortSettingsEditPage() {
  const { portSettings } = useParams({
    from: '/shell/system/port-settings-crumb/system/networking/port-settings/$portSettings/edit',
  })
  const { data } = usePrefetchedQuery(detailsQuery(portSettings))
  // What the form starts with must not change under it when the settings are read again.
  const [initial] = useState(() => valuesOf(data))
  return <SettingsForm initial={initial} existing ports={data.ports.map(({ name }) => name)} />
}
