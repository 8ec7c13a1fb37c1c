import { useNavigate, useParams } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { useApiForm } from '../../workspace/as-code/as-code.tsx'
import { usePrefetchedQuery } from '../../data/api.ts'
import { ImageFields } from '../images/image-fields.tsx'
import { imageCreateArgs } from '../images/import-args.ts'
import type { ImageValues } from '../images/upload-state.ts'
import { SideModalForm } from '../../ui/form/side-modal-form.tsx'
import { PropertiesTable } from '../../ui/properties-table.tsx'
import { Size } from '../../ui/text.tsx'
import { doneToast } from '../../ui/toasts.tsx'
import { snapshotQuery } from './queries.ts'

export function ImageFromSnapshotForm() {
  const navigate = useNavigate()
  const { project, snapshot: snapshotName } = useParams({
    from: '/shell/projects-crumb/projects/$project/snapshots/snapshots/$snapshot/images-new',
  })
  const { data: snapshot } = usePrefetchedQuery(snapshotQuery(project, snapshotName))
  const toList = () => void navigate({ to: '/projects/$project/snapshots', params: { project } })
  const form = useForm({
    defaultValues: { name: snapshot.name, description: '', os: '', version: '' },
  })
  const argsOf = (values: ImageValues) => imageCreateArgs(project, values, snapshot.id)
  const create = useApiForm('imageCreate', argsOf, {
    onSuccess: (image) => {
      doneToast('Image', image.name, 'created')
      toList()
    },
  })
  const { Row } = PropertiesTable
  return (
    <SideModalForm
      form={form}
      formType="create"
      resource="image"
      title="Create image from snapshot"
      submitLabel="Create image"
      {...create}
      onDismiss={toList}
    >
      <PropertiesTable>
        <Row label="Snapshot">
          <span className="wrap-anywhere">{snapshot.name}</span>
        </Row>
        <Row label="Project">
          <span className="wrap-anywhere">{project}</span>
        </Row>
        <Row label="Size">
          <Size bytes={snapshot.size} />
        </Row>
      </PropertiesTable>
      <ImageFields control={form.control} />
    </SideModalForm>
  )
}
