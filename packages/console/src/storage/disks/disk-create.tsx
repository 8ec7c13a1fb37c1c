import { useNavigate, useParams } from '@tanstack/react-router'
import { DiskCreateModal } from './disk-form.tsx'

export function DiskCreatePage() {
  const navigate = useNavigate()
  const { project } = useParams({ from: '/shell/projects-crumb/projects/$project' })
  const toList = () => void navigate({ to: '/projects/$project/disks', params: { project } })
  return <DiskCreateModal project={project} onDismiss={toList} onCreated={toList} />
}
