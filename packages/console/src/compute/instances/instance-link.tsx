import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '../../data/api.ts'
import { CellLink, TextLink } from '../../ui/link.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { EmptyCell } from '../../ui/text.tsx'
import { projectInstancesQuery } from './queries.ts'

type Props = { project: string; id: string; inText?: boolean }

/** Link to the networking tab of the instance with this ID. */
export function InstanceLink({ project, id, inText = false }: Props) {
  const { data: some, isPending: listing } = useQuery(projectInstancesQuery(project))
  const known = some?.items.find((instance) => instance.id === id)?.name
  const { data: one, isPending: looking } = useQuery({
    ...apiQuery('instanceView', { path: { instance: id } }, { allow404: true }),
    enabled: !listing && !known,
  })
  const name = known ?? one?.name
  if (!name) return listing || looking ? <SkeletonCell /> : <EmptyCell />
  const Anchor = inText ? TextLink : CellLink
  return (
    <Anchor
      to="/projects/$project/instances/$instance/networking"
      params={{ project, instance: name }}
      className={inText ? 'wrap-anywhere' : 'max-w-56'}
    >
      {name}
    </Anchor>
  )
}
