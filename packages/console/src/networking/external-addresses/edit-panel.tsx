import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { InstanceLink } from '../../compute/instances/instance-link.tsx'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { Truncate } from '../../ui/text.tsx'

type Values = { name: string; description: string }

type Props = Omit<
  ComponentProps<typeof SideModalForm<Values>>,
  'form' | 'formType' | 'star' | 'subtitle' | 'children'
> & {
  form: UseFormReturn<Values>
  kind: 'floating_ip' | 'external_subnet'
  icon: LucideIcon
  project: string
  thing: {
    id: string
    name: string
    instanceId?: string | null
    timeCreated: Date
    timeModified: Date
  }
  /** Rows with the addresses and their pool. */
  children: ReactNode
}

/** The edit panel of a floating IP or external subnet, attached or not. */
export function EditPanel({ form, kind, icon: Icon, project, thing, children, ...update }: Props) {
  const { id, name, instanceId, timeCreated, timeModified } = thing
  return (
    <SideModalForm
      form={form}
      formType="edit"
      star={<ResourceButtons kind={kind} thing={thing} />}
      subtitle={
        <>
          <Icon size={16} strokeWidth={1.5} aria-hidden />
          <Truncate text={name} />
        </>
      }
      {...update}
    >
      <PropertiesTable>
        <PropertiesTable.IdRow id={id} />
        <PropertiesTable.DateRow date={timeCreated} label="Created" />
        <PropertiesTable.DateRow date={timeModified} label="Updated" />
        {children}
        <PropertiesTable.Row label="Instance">
          {instanceId ? <InstanceLink project={project} id={instanceId} inText /> : null}
        </PropertiesTable.Row>
      </PropertiesTable>
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
    </SideModalForm>
  )
}
