import { inPath, issueRule } from '../../observability/issues/rules.ts'

interface LostDomain {
  name: string
  /** Serial number of the host. */
  host: string
  /** Null for a host that is not in use. */
  sledId: string | null
}

export const hostIssues = {
  domain_without_instance: issueRule<LostDomain>({
    severity: 'warning',
    // The engine finds it in a scan, without an event.
    about: [],
    sentence: ({ name, host }) => `No instance owns domain ${name} on host ${host}`,
    path: ({ sledId }) =>
      sledId === null
        ? '/system/inventory/sleds'
        : `/system/inventory/sleds/${inPath(sledId)}/instances`,
    next: 'See how to remove it',
  }),
}
