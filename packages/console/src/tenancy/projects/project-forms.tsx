import type { ProjectCreate } from '@steading/api/client'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { apiQuery } from '../../data/api.ts'
import { seedAnswer } from '../../data/seed-answer.ts'
import { DescriptionField, NameField } from '../../forms/name-fields.tsx'
import { namedFields, namedValues, useEditForm } from '../../forms/use-edit-form.tsx'
import { ResourceButtons } from '../../page/resource-buttons.tsx'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { doneToast } from '../../ui/toasts.tsx'

export function ProjectCreateForm() {
  const navigate = useNavigate()
  const form = useForm({ defaultValues: { name: '', description: '' } })
  const create = useApiForm('projectCreate', (body: ProjectCreate) => ({ body }), {
    onSuccess: (project) => {
      seedAnswer('projectView', { path: { project: project.name } }, project)
      doneToast('Project', project.name, 'created')
      void navigate({ to: '/projects/$project/instances', params: { project: project.name } })
    },
  })
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="project"
      {...create}
      onDismiss={() => void navigate({ to: '/projects' })}
    >
      <NameField control={form.control} />
      <DescriptionField control={form.control} />
    </SideModalForm>
  )
}

export function ProjectEditForm() {
  const navigate = useNavigate()
  const path = useParams({ from: '/shell/silo/projects/projects/$project/edit' })
  const { opened: project, ...edit } = useEditForm('projectUpdate', {
    resource: 'project',
    read: apiQuery('projectView', { path }),
    valuesOf: namedValues,
    fields: namedFields,
    argsOf: (body) => ({ path, body }),
    onSuccess: (updated) => {
      seedAnswer('projectView', { path: { project: updated.name } }, updated)
      doneToast('Project', updated.name, 'updated')
      void navigate({ to: '/projects' })
    },
  })
  const { control } = edit.form
  return (
    <SideModalForm
      formType="edit"
      star={<ResourceButtons kind="project" thing={project} />}
      {...edit}
      onDismiss={() => void navigate({ to: '/projects' })}
    >
      <PropertiesTable>
        <PropertiesTable.IdRow id={project.id} />
        <PropertiesTable.DateRow date={project.timeCreated} label="Created" />
        <PropertiesTable.DateRow date={project.timeModified} label="Updated" />
      </PropertiesTable>
      <NameField control={control} />
      <DescriptionField control={control} />
    </SideModalForm>
  )
}
