import { inPath, issueRule } from '../../observability/issues/rules.ts'
import { removeDomain } from './rules.ts'

interface LostDomain {
  name: string
  uuid: string
  /** Address of its libvirt. */
  uri: string
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
    sentence: ({ name, uuid, uri, host }) =>
      `Domain ${name} on host ${host} belongs to no instance, and is never removed by itself. If nobody needs it: ${removeDomain(uri, uuid).join('; ')}`,
    path: ({ sledId }) =>
      sledId === null
        ? '/system/inventory/sleds'
        : `/system/inventory/sleds/${inPath(sledId)}/instances`,
    next: 'See the host',
  }),
}
