import { noSiloRoleWarning } from '@steading/api/rules'
import { useQuery } from '@tanstack/react-query'
import { useCapability } from '../../data/capabilities.ts'
import { imagePolicyQuery } from '../../storage/image-policy/queries.ts'
import { Banner } from '../../ui/banner.tsx'

/** Warns that a person without a role on the user's own silo lacks its images. */
export function NoSiloRole() {
  const hasPolicy = useCapability('projectOffers')
  const policy = useQuery({ ...imagePolicyQuery, enabled: hasPolicy }).data
  return policy?.membersUseSiloImages === false ? (
    <Banner variant="notice">{noSiloRoleWarning}</Banner>
  ) : null
}
