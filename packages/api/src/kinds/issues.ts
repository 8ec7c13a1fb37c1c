/** All kinds of issue. Each is declared in the folder of its resource, with a line here. */
import { alertReceiverIssues } from '../observability/alert-receivers/issues.ts'
import { alertRuleIssues } from '../observability/alert-rules/issues.ts'
import { bfdIssues } from '../system-networking/bfd/issues.ts'
import { bgpIssues } from '../system-networking/bgp/issues.ts'
import { certificateIssues } from '../identity/certificates/issues.ts'
import { healthIssues } from '../maintenance/health/issues.ts'
import { hostFencingIssues } from '../hardware/host-fencing/issues.ts'
import { hostIssues } from '../hardware/hosts/issues.ts'
import { identityProviderIssues } from '../identity/identity-providers/issues.ts'
import { instanceIssues } from '../compute/instances/issues.ts'
import { ipPoolIssues } from '../networking/ip-pools/issues.ts'
import { notificationIssues } from '../observability/notifications/issues.ts'
import { physicalDiskIssues } from '../hardware/physical-disks/issues.ts'
import { scrubIssues } from '../maintenance/scrub/issues.ts'
import { siloIssues } from '../tenancy/silos/issues.ts'
import { scheduleIssues } from '../compute/schedules/issues.ts'
import { sledIssues } from '../hardware/sleds/issues.ts'
import { storagePoolIssues } from '../storage/storage-pools/issues.ts'
import { subnetPoolIssues } from '../networking/subnet-pools/issues.ts'
import { switchPortIssues } from '../system-networking/switch-ports/issues.ts'
import { timeseriesIssues } from '../observability/timeseries/issues.ts'
import { uplinkHostIssues } from '../system-networking/uplink-hosts/issues.ts'
import { vpcNetworkIssues } from '../networking/vpc-networks/issues.ts'
import { updateIssues } from '../maintenance/updates/issues.ts'
import { jobIssues } from './job-issues.ts'
import { reconciliationIssues } from './reconciliation-issues.ts'

export const issueRules = {
  ...healthIssues,
  ...sledIssues,
  ...hostIssues,
  ...hostFencingIssues,
  ...physicalDiskIssues,
  ...storagePoolIssues,
  ...switchPortIssues,
  ...uplinkHostIssues,
  ...bgpIssues,
  ...vpcNetworkIssues,
  ...bfdIssues,
  ...ipPoolIssues,
  ...subnetPoolIssues,
  ...siloIssues,
  ...certificateIssues,
  ...identityProviderIssues,
  ...instanceIssues,
  ...jobIssues,
  ...scheduleIssues,
  ...alertReceiverIssues,
  ...alertRuleIssues,
  ...notificationIssues,
  ...updateIssues,
  ...timeseriesIssues,
  ...scrubIssues,
  ...reconciliationIssues,
}

export { BFD_DOWN_AFTER_MS } from '../system-networking/bfd/issues.ts'
export { PEER_DOWN_AFTER_MS } from '../system-networking/bgp/issues.ts'
export type { ReconciledKind } from './reconciliation-issues.ts'
export type { DamagedKind } from '../maintenance/scrub/issues.ts'
export { STUCK_AFTER_MS } from '../compute/instances/issues.ts'
export { POOL_NEARLY_FULL } from '../networking/pools/rules.ts'
export {
  endedSentence,
  type IssueEnd,
  type IssueRule,
  ISSUES_OF_A_KIND,
  type ReadWithin,
} from '../observability/issues/rules.ts'
export { DISK_NEARLY_FULL, DISK_PLENTY_FREE } from '../hardware/hosts/issues.ts'
export { QUOTA_NEARLY_USED } from '../tenancy/silos/issues.ts'

export type IssueKind = keyof typeof issueRules
/** Data of the sentence of an issue. */
export type IssueFacts<K extends IssueKind> = Parameters<(typeof issueRules)[K]['sentence']>[0]
