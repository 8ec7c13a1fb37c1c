import { useQuery } from '@tanstack/react-query'
import { apiQuery, apiQueryErrorsAllowed } from '../../data/api.ts'
import { CellLink } from '../../ui/link.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { Tag } from '../../ui/tag.tsx'
import type { VpcParams } from '../vpcs/queries.ts'

/** The routers a subnet of a VPC can use; the first page is enough for a picker. */
export const vpcRoutersQuery = ({ project, vpc }: VpcParams) =>
  apiQuery('vpcRouterList', { query: { project, vpc } })

const routerQuery = (router: string) =>
  apiQueryErrorsAllowed('vpcRouterView', { path: { router } }, { expected: [404] })

/** The name of a subnet's custom router, linked to its page. */
export function RouterName({ params, id }: { params: VpcParams; id: string }) {
  const { data: routers, isPending: listing } = useQuery(vpcRoutersQuery(params))
  const known = routers?.items.find((router) => router.id === id)?.name
  const { data: one, isPending: looking } = useQuery({
    ...routerQuery(id),
    enabled: !listing && !known,
  })
  const name = known ?? (one?.type === 'success' ? one.data.name : undefined)
  if (name) {
    return (
      <CellLink
        to="/projects/$project/vpcs/$vpc/routers/$router"
        params={{ ...params, router: name }}
      >
        {name}
      </CellLink>
    )
  }
  return listing || looking ? <SkeletonCell /> : <Tag>Deleted</Tag>
}
