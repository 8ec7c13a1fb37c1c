import { useNavigate, useParams } from '@tanstack/react-router'
import { apiQuery, usePrefetchedQuery } from '../../data/api.ts'
import { DiskDetails } from './disk-details.tsx'

export function DiskView() {
  const navigate = useNavigate()
  const { project, disk: name } = useParams({
    from: '/shell/projects-crumb/projects/$project/disks/disks/$disk',
  })
  const { data: disk } = usePrefetchedQuery(
    apiQuery('diskView', { path: { disk: name }, query: { project } }),
  )
  return (
    <DiskDetails
      disk={disk}
      onDismiss={() => void navigate({ to: '/projects/$project/disks', params: { project } })}
    />
  )
}
