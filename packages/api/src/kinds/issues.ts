/** Every kind of issue. A new one is declared in the folder of what it is about, with a line here. */
import { alertReceiverIssues } from '../alert-receivers/issues.ts'
import { alertRuleIssues } from '../alert-rules/issues.ts'
import { bfdIssues } from '../bfd/issues.ts'
import { bgpIssues } from '../bgp/issues.ts'
import { certificateIssues } from '../certificates/issues.ts'
import { healthIssues } from '../health/issues.ts'
import { identityProviderIssues } from '../identity-providers/issues.ts'
import { instanceIssues } from '../instances/issues.ts'
import { ipPoolIssues } from '../ip-pools/issues.ts'
import { physicalDiskIssues } from '../physical-disks/issues.ts'
import { scrubIssues } from '../scrub/issues.ts'
import { siloIssues } from '../silos/issues.ts'
import { sledIssues } from '../sleds/issues.ts'
import { subnetPoolIssues } from '../subnet-pools/issues.ts'
import { switchPortIssues } from '../switch-ports/issues.ts'
import { timeseriesIssues } from '../timeseries/issues.ts'
import { updateIssues } from '../updates/issues.ts'
import { jobIssues } from './job-issues.ts'
import { reconciliationIssues } from './reconciliation-issues.ts'

export const issueRules = {
  ...healthIssues,
  ...sledIssues,
  ...physicalDiskIssues,
  ...switchPortIssues,
  ...bgpIssues,
  ...bfdIssues,
  ...ipPoolIssues,
  ...subnetPoolIssues,
  ...siloIssues,
  ...certificateIssues,
  ...identityProviderIssues,
  ...instanceIssues,
  ...jobIssues,
  ...alertReceiverIssues,
  ...alertRuleIssues,
  ...updateIssues,
  ...timeseriesIssues,
  ...scrubIssues,
  ...reconciliationIssues,
}

export { BFD_DOWN_AFTER_MS } from '../bfd/issues.ts'
export { PEER_DOWN_AFTER_MS } from '../bgp/issues.ts'
export type { ReconciledKind } from './reconciliation-issues.ts'
export type { DamagedKind } from '../scrub/issues.ts'
export { STUCK_AFTER_MS } from '../instances/issues.ts'
export { POOL_NEARLY_FULL } from '../rules/pools.ts'
export { ISSUES_OF_A_KIND } from '../rules/issues.ts'
export { QUOTA_NEARLY_USED } from '../silos/issues.ts'

export type IssueKind = keyof typeof issueRules
/** What the sentence of an issue is made of. */
export type IssueFacts<K extends IssueKind> = Parameters<(typeof issueRules)[K]['sentence']>[0]
