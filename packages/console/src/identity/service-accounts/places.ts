/** Differences between the service accounts of a project and of the silo. */
import { useNavigate, useParams } from '@tanstack/react-router'
import { pathTo } from '../../data/addresses.ts'
import type { Calls } from '../../ui/server-state.ts'
import { accountKind } from './queries.ts'

/** A call about service accounts of a project; roles on a project do not reach those of the silo. */
export const accountCalls = (operation: string, project: string | undefined): Calls => ({
  operation,
  about: [accountKind(project)],
  project,
})

/** The address of the list of a project or of the silo. */
export const accountsPath = (project: string | undefined): string =>
  project ? pathTo('/projects/$project/service-accounts', { project }) : '/service-accounts'

/** The parameters of the pages of a service account, and the way back to the list. */
export function useAccountPage() {
  const params = useParams({ strict: false }) as { project?: string; serviceAccount: string }
  const navigate = useNavigate()
  const toList = () => void navigate({ to: accountsPath(params.project) as '/' })
  return { ...params, toList }
}
