import type { InstanceNetworkInterface } from '@steading/api/client'
import { cidrVersion } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { Network } from 'lucide-react'
import { useWatch } from 'react-hook-form'
import { apiQuery } from '../../data/api.ts'
import { namedFields, useEditForm } from '../../forms/use-edit-form.tsx'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { withEntry } from '../../forms/list-entry.ts'
import { subnetQuery } from '../../compute/instances/queries.ts'
import { ConnectionChanges } from '../reachability/connection-changes.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { Mono, Truncate } from '../../ui/text.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { stacksOf, transitIpsOf, versionsOf } from './stacks.ts'
import { transitIpList, TransitIpsField } from './transit-ips-field.tsx'

type Edited = { name: string; description: string; transitIps: string[] }
type Values = Edited & { transitIpEntry: { network: string } }

type Props = { nic: InstanceNetworkInterface; onDismiss: () => void }

const v4First = (nets: string[]) =>
  nets.toSorted((a, b) => (cidrVersion(a) ?? '').localeCompare(cidrVersion(b) ?? ''))

const privateIp = { v4: 'Private IPv4', v6: 'Private IPv6' }

export default function NicEditForm({ nic, onDismiss }: Props) {
  const list = transitIpList(versionsOf(nic))
  const argsOf = ({ transitIps, transitIpEntry, ...body }: Values) => ({
    path: { interface: nic.id },
    body: { ...body, transitIps: v4First(withEntry(list, transitIps, transitIpEntry)) },
  })
  const { form, ...update } = useEditForm('instanceNetworkInterfaceUpdate', {
    resource: 'network interface',
    read: apiQuery('instanceNetworkInterfaceView', { path: { interface: nic.id } }),
    opened: nic,
    valuesOf: (read: InstanceNetworkInterface): Edited => ({
      name: read.name,
      description: read.description,
      transitIps: transitIpsOf(read),
    }),
    fields: { ...namedFields, transitIps: 'Transit IPs' },
    entries: { transitIpEntry: { network: '' } },
    argsOf,
    onSuccess: ({ name }) => {
      doneToast('Network interface', name, 'updated')
      onDismiss()
    },
  })
  const typed = useWatch({ control: form.control, name: ['transitIps', 'transitIpEntry'] })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      subtitle={
        <>
          <Network size={16} strokeWidth={1.5} aria-hidden />
          <Truncate text={nic.name} />
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
      <ConnectionChanges
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
