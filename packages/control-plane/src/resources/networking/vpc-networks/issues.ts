import { type Finder, issue, ISSUE_ROWS } from '../../../kernel/issues.ts'

/** Parts of the network that do not answer. */
export const vpcNetworkIssues: Finder = async ({ services: { vpcNetworks } }) => {
  const health = vpcNetworks?.health?.()
  if (!health) return []
  const { silentCenter, hosts } = health
  const center = silentCenter
    ? [
        issue('network_center_silent', silentCenter.part, silentCenter.since.toISOString(), {
          part: silentCenter.part,
        }),
      ]
    : []
  const silent = hosts.flatMap(({ name, silentSince }) =>
    silentSince
      ? [issue('network_host_silent', name, silentSince.toISOString(), { host: name })]
      : [],
  )
  return [...center, ...silent].slice(0, ISSUE_ROWS)
}
