import { useQuery } from '@tanstack/react-query'
import { Roles } from '../../workspace/who-can/roles.tsx'
import { useCapability } from '../../data/capabilities.ts'
import { LoadError } from '../../page/load-error.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card, CardBody } from '../../ui/card.tsx'
import { SkeletonCell } from '../../ui/table.tsx'
import { accessOfUserQuery } from './queries.ts'

/** A user's roles and their origin; an error stays within the card. */
export function RolesCard({ userId }: { userId: string }) {
  const enabled = useCapability('access')
  const { data, error, refetch } = useQuery({ ...accessOfUserQuery(userId), enabled })
  if (!enabled) return null
  return (
    <Card
      title="Roles"
      description="Roles of the user and their groups"
      actions={
        <LinkButton to="/access" variant="secondary">
          Silo access
        </LinkButton>
      }
    >
      {data ? (
        <Roles {...data} inCard />
      ) : error ? (
        <LoadError what="The roles" error={error} onRetry={refetch} />
      ) : (
        <CardBody>
          <SkeletonCell width="w-64" />
        </CardBody>
      )}
    </Card>
  )
}
