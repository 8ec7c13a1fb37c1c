import { Suspense } from 'react'
import { ApiError } from '../data/errors.ts'
import { lazyPart } from '../ui/lazy-part.ts'

const OtherRoles = lazyPart(() =>
  import('./other-roles.tsx').then((module) => ({ default: module.OtherRoles })),
)

/** Under a refusal: where else the user has a role, or that they have none at all. */
export const RoleNotice = ({ error }: { error: unknown }) =>
  error instanceof ApiError && error.statusCode === 403 ? (
    <Suspense>
      <OtherRoles />
    </Suspense>
  ) : null
