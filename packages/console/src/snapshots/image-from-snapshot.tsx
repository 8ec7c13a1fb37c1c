import { useNavigate, useParams } from '@tanstack/react-router'
import { useForm } from 'react-hook-form'
import { invalidate, useApiMutation, usePrefetchedQuery } from '../data/api.ts'
import { ImageFields } from '../images/image-fields.tsx'
import { SideModalForm } from '../ui/form/side-modal-form.tsx'
import { PropertiesTable } from '../ui/properties-table.tsx'
import { Size } from '../ui/text.tsx'
import { addToast } from '../ui/toasts.tsx'
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
  const create = useApiMutation('imageCreate', {
    onSuccess: (image) => {
      void invalidate('imageList')
      addToast({
        content: (
          <>
            Image <b>{image.name}</b> created
          </>
        ),
      })
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
      onSubmit={(values) =>
        create.mutate({
          query: { project },
          body: { ...values, source: { type: 'snapshot', id: snapshot.id } },
        })
      }
      onDismiss={toList}
      loading={create.isPending}
      submitError={create.error}
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
