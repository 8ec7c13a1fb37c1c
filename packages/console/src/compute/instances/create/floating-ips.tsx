import type { FloatingIp, SiloIpPool } from '@steading/api/client'
import { INSTANCE_MAX_EXTERNAL_IPS } from '@steading/api/rules'
import { useState } from 'react'
import { useForm, useWatch, type UseFormReturn } from 'react-hook-form'
import { floatingIpOption } from '../../../networking/floating-ips/floating-ip-option.tsx'
import { availableFloatingIps } from '../../../networking/floating-ips/queries.ts'
import { Banner } from '../../../ui/banner.tsx'
import { Button } from '../../../ui/button.tsx'
import { ListboxField } from '../../../ui/form/listbox-field.tsx'
import { MiniTable } from '../../../ui/form/mini-table.tsx'
import { ModalForm } from '../../../ui/form/modal-form.tsx'
import { Mono } from '../../../ui/text.tsx'
import { HelpTip } from '../../../ui/tooltip.tsx'
import { ChoicesPart } from './choices-part.tsx'
import { Problem, NothingHere } from './section.tsx'
import type { Offer } from './queries.ts'
import {
  primaryVersions,
  reachableFloatingIps,
  type ChosenFloatingIp,
  type InstanceValues,
} from './values.ts'

type Props = { form: UseFormReturn<InstanceValues>; offer: Offer; disabled: boolean }

const columns = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name }: ChosenFloatingIp) => <span className="wrap-anywhere">{name}</span>,
  },
  { id: 'ip', header: 'IP', cell: ({ ip }: ChosenFloatingIp) => <Mono>{ip}</Mono> },
]

export function FloatingIps({ form, offer, disabled }: Props) {
  const chosen = useWatch({ control: form.control, name: 'floatingIps' })
  return (
    <div className="flex flex-col gap-2">
      <span className="flex items-center gap-1.5 font-medium">
        Floating IPs
        <HelpTip>
          Addresses of the project. They exist independently of instances and can move between them.
        </HelpTip>
      </span>
      <ChoicesPart part="floatingIps" offer={offer}>
        {offer.floatingIps.length === 0 && chosen.length === 0 ? (
          <NothingHere
            title="No floating IPs found"
            body="Create a floating IP to attach it to this instance"
          />
        ) : (
          <Choice {...{ form, offer, disabled }} />
        )}
      </ChoicesPart>
    </div>
  )
}

function Choice({ form, offer, disabled }: Props) {
  const [network, ipVersions, nics, chosen] = useWatch({
    control: form.control,
    name: ['network', 'ipVersions', 'nics', 'floatingIps'],
  })
  const [open, setOpen] = useState(false)
  const versions = primaryVersions({ network, ipVersions, nics })
  const shown = reachableFloatingIps({ network, ipVersions, nics, floatingIps: chosen })
  const available = availableFloatingIps(offer.floatingIps, versions).filter(
    ({ name }) => !chosen.some((each) => each.name === name),
  )
  const set = (next: ChosenFloatingIp[]) => {
    form.clearErrors('floatingIps')
    form.setValue('floatingIps', next, { shouldDirty: true })
  }
  let reason: string | undefined
  if (versions.length === 0) {
    reason = 'A network interface is required\nto attach a floating IP'
  } else if (shown.length >= INSTANCE_MAX_EXTERNAL_IPS) {
    reason = `Floating IP address limit of ${INSTANCE_MAX_EXTERNAL_IPS} reached for this instance`
  } else if (available.length === 0) {
    reason = 'No floating IPs available'
  }
  return (
    <>
      <MiniTable
        label="Floating IPs"
        columns={columns}
        items={shown}
        rowKey={({ name }) => name}
        onRemove={({ name }) => set(chosen.filter((each) => each.name !== name))}
        removeLabel={({ name }) => `remove floating IP ${name}`}
      />
      <Problem form={form} name="floatingIps" />
      <div>
        <Button size="sm" disabled={disabled} disabledReason={reason} onClick={() => setOpen(true)}>
          Attach floating IP
        </Button>
      </div>
      {open && (
        <AttachModal
          available={available}
          pools={offer.pools}
          onAttach={({ name, ip }) => {
            set([...chosen, { name, ip }])
            setOpen(false)
          }}
          onDismiss={() => setOpen(false)}
        />
      )}
    </>
  )
}

type AttachModalProps = {
  available: FloatingIp[]
  pools: SiloIpPool[]
  onAttach: (floatingIp: FloatingIp) => void
  onDismiss: () => void
}

function AttachModal({ available, pools, onAttach, onDismiss }: AttachModalProps) {
  const form = useForm({ defaultValues: { floatingIp: '' } })
  const name = useWatch({ control: form.control, name: 'floatingIp' })
  const chosen = available.find((each) => each.name === name)
  return (
    <ModalForm
      form={form}
      title="Attach floating IP"
      submitLabel="Attach"
      onSubmit={() => chosen && onAttach(chosen)}
      onDismiss={onDismiss}
      loading={false}
      submitError={null}
      sends={false}
    >
      <Banner>
        This instance will be reachable at {chosen ? <Mono>{chosen.ip}</Mono> : 'the selected IP'}
      </Banner>
      <ListboxField
        name="floatingIp"
        label="Floating IP"
        placeholder="Select a floating IP"
        control={form.control}
        options={available.map((each) => floatingIpOption(each, pools))}
      />
    </ModalForm>
  )
}
