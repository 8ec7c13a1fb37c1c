import type { InstanceNetworkInterface } from '@steading/api/client'
import { cidrVersion } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Network } from 'lucide-react'
import { useForm, useWatch } from 'react-hook-form'
import { useApiForm } from '../as-code/as-code.tsx'
import { invalidate } from '../data/api.ts'
import { DescriptionField, NameField } from '../forms/name-fields.tsx'
import { withEntry } from '../forms/list-entry.ts'
import { subnetQuery } from '../instances/queries.ts'
import { WhatChanges } from '../reachability/what-changes.tsx'
import { SideModalForm } from '../ui/form/side-modal-form.tsx'
import { PropertiesTable } from '../ui/properties-table.tsx'
import { SkeletonCell } from '../ui/table.tsx'
import { Mono, Truncate } from '../ui/text.tsx'
import { addToast } from '../ui/toasts.tsx'
import { stacksOf, transitIpsOf, versionsOf } from './stacks.ts'
import { transitIpList, TransitIpsField } from './transit-ips-field.tsx'

type Values = {
  name: string
  description: string
  transitIps: string[]
  transitIpEntry: { network: string }
}

type Props = { nic: InstanceNetworkInterface; onDismiss: () => void }

const v4First = (nets: string[]) =>
  nets.toSorted((a, b) => (cidrVersion(a) ?? '').localeCompare(cidrVersion(b) ?? ''))

const privateIp = { v4: 'Private IPv4', v6: 'Private IPv6' }

export default function NicEditForm({ nic, onDismiss }: Props) {
  const form = useForm<Values>({
    defaultValues: {
      name: nic.name,
      description: nic.description,
      transitIps: transitIpsOf(nic),
      transitIpEntry: { network: '' },
    },
  })
  const list = transitIpList(versionsOf(nic))
  const typed = useWatch({ control: form.control, name: ['transitIps', 'transitIpEntry'] })
  const argsOf = ({ transitIps, transitIpEntry, ...body }: Values) => ({
    path: { interface: nic.id },
    body: { ...body, transitIps: v4First(withEntry(list, transitIps, transitIpEntry)) },
  })
  const update = useApiForm('instanceNetworkInterfaceUpdate', argsOf, {
    onSuccess: ({ name }) => {
      void invalidate('instanceNetworkInterfaceList')
      addToast({
        content: (
          <>
            Network interface <b>{name}</b> updated
          </>
        ),
      })
      onDismiss()
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      resource="network interface"
      subtitle={
        <>
          <Network size={16} strokeWidth={1.5} aria-hidden />
          <span className="min-w-0 truncate">{nic.name}</span>
        </>
      }
      {...update}
      onDismiss={onDismiss}
    >
      <PropertiesTable>
        <PropertiesTable.IdRow id={nic.id} />
        <PropertiesTable.DateRow date={nic.timeCreated} label="Created" />
        <PropertiesTable.DateRow date={nic.timeModified} label="Updated" />
        {stacksOf(nic).map(({ version, ip }) => (
          <PropertiesTable.CopyRow key={version} text={ip} label={privateIp[version]} />
        ))}
        <PropertiesTable.Row label="MAC address">
          <Mono>{nic.mac}</Mono>
        </PropertiesTable.Row>
        <PropertiesTable.Row label="Subnet">
          <SubnetName id={nic.subnetId} />
        </PropertiesTable.Row>
      </PropertiesTable>
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <hr className="border-line" />
      <TransitIpsField versions={versionsOf(nic)} />
      <WhatChanges
        change={{
          body: {
            type: 'network_interface_update',
            interface: nic.id,
            transitIps: withEntry(list, ...typed),
          },
        }}
      />
    </SideModalForm>
  )
}

function SubnetName({ id }: { id: string }) {
  const { data } = useQuery(subnetQuery(id))
  return data ? <Truncate text={data.name} /> : <SkeletonCell />
}
