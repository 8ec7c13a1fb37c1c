import type { Vpc, Args, VpcUpdate } from '@steading/api/client'
import { vpcPrefixFieldProblem } from '@steading/api/rules'
import { useNavigate, useParams } from '@tanstack/react-router'
import { Network } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { seedAnswer } from '../../data/seed-answer.ts'
import { namedFields, useEditForm } from '../../forms/use-edit-form.tsx'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { useVpcParams, vpcQuery, vpcHome } from './queries.ts'
import { Truncate } from '../../ui/text.tsx'

const initial = { name: '', description: '', dnsName: '', ipv6Prefix: '' }

export function VpcCreateForm() {
  const navigate = useNavigate()
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const form = useForm({ defaultValues: initial })
  const argsOf = ({ ipv6Prefix, ...body }: typeof initial): Args<'vpcCreate'> => ({
    query: { project },
    body: { ...body, ...(ipv6Prefix.trim() ? { ipv6Prefix: ipv6Prefix.trim() } : {}) },
  })
  const create = useApiForm('vpcCreate', argsOf, {
    onSuccess: (vpc) => {
      seedAnswer('vpcView', { path: { vpc: vpc.name }, query: { project } }, vpc)
      doneToast('VPC', vpc.name, 'created')
      void navigate({ to: vpcHome, params: { project, vpc: vpc.name } })
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="VPC"
      {...create}
      onDismiss={() => void navigate({ to: '/projects/$project/vpcs', params: { project } })}
    >
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <NameField name="dnsName" label="DNS name" control={form.control} />
      <TextField
        name="ipv6Prefix"
        label="IPv6 prefix"
        required={false}
        placeholder="fd00:1234:5678::/48"
        description="A /48 of unique local addresses. Left blank, one is generated."
        control={form.control}
        validate={(text) => (text.trim() ? vpcPrefixFieldProblem(text.trim()) : undefined)}
      />
    </SideModalForm>
  )
}

export function VpcEditForm() {
  const navigate = useNavigate()
  const params = useVpcParams()
  const { project } = params
  const leaveFor = (named: string) =>
    void navigate({ to: vpcHome, params: { project, vpc: named } })
  const argsOf = ({ dnsName: dns, ...body }: VpcUpdate) => ({
    path: { vpc: params.vpc },
    query: { project },
    body: { ...body, ...(dns ? { dnsName: dns } : {}) },
  })
  const {
    opened: vpc,
    form,
    ...update
  } = useEditForm('vpcUpdate', {
    resource: 'VPC',
    read: vpcQuery(params),
    valuesOf: ({ name, description, dnsName }: Vpc) => ({ name, description, dnsName }),
    fields: { ...namedFields, dnsName: 'DNS name' },
    argsOf,
    onSuccess: (updated) => {
      seedAnswer('vpcView', { path: { vpc: updated.name }, query: { project } }, updated)
      doneToast('VPC', updated.name, 'updated')
      leaveFor(updated.name)
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="edit"
      star={<ResourceButtons kind="vpc" thing={vpc} />}
      subtitle={
        <>
          <Network size={16} strokeWidth={1.5} aria-hidden />
          <Truncate text={vpc.name} />
        </>
      }
      {...update}
      onDismiss={() => leaveFor(params.vpc)}
    >
      <PropertiesTable>
        <PropertiesTable.IdRow id={vpc.id} />
        <PropertiesTable.DateRow date={vpc.timeCreated} label="Created" />
        <PropertiesTable.DateRow date={vpc.timeModified} label="Updated" />
        <PropertiesTable.CopyRow text={vpc.ipv6Prefix} label="IPv6 prefix" />
      </PropertiesTable>
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
      <NameField name="dnsName" label="DNS name" required={false} control={form.control} />
    </SideModalForm>
  )
}
