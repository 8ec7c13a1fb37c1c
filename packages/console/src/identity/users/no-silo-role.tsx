import { noSiloRoleWarning } from '@steading/api/rules'
import { Banner } from '../../ui/banner.tsx'

/** What a person without a role on the silo lacks. */
export const NoSiloRole = () => <Banner variant="notice">{noSiloRoleWarning}</Banner>
