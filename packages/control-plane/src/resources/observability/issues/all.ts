import type { Finder } from '../../../kernel/issues.ts'
import { receiverIssues } from '../alert-receivers/issues.ts'
import { ruleIssues } from '../alert-rules/issues.ts'
import { bfdIssues } from '../../system-networking/bfd/issues.ts'
import { bgpIssues } from '../../system-networking/bgp/issues.ts'
import { certificateIssues } from '../../identity/certificates/issues.ts'
import { clockIssues, healthIssues, replicationIssues } from '../../maintenance/health/issues.ts'
import { providerIssues } from '../../identity/identity-providers/issues.ts'
import { instanceIssues, pausedInstances } from '../../compute/instances/issues.ts'
import {
  dataDisk,
  hostClocks,
  hostDisks,
  orphanedDomains,
  silentHosts,
} from '../../hardware/hosts/issues.ts'
import { fencedHosts, massFailures, untestedFencing } from '../../hardware/host-fencing/issues.ts'
import { ipPoolIssues } from '../../networking/ip-pools/issues.ts'
import { jobIssues } from '../../workspace/jobs/issues.ts'
import { disksInTrouble, lostReplicas, disksWaiting } from '../../hardware/physical-disks/issues.ts'
import { damagedVolumes, damagedTimeSeries } from '../../maintenance/scrub/issues.ts'
import { scheduleIssues } from '../../compute/schedules/issues.ts'
import { siloIssues } from '../../tenancy/silos/issues.ts'
import { overdueMaintenance } from '../../hardware/sled-maintenance/issues.ts'
import { sledsInTrouble, sledsWaiting } from '../../hardware/sleds/issues.ts'
import { unreachablePools } from '../../storage/storage-pools/issues.ts'
import { subnetPoolIssues } from '../../networking/subnet-pools/issues.ts'
import { switchPortIssues } from '../../system-networking/switch-ports/issues.ts'
import { timeseriesIssues } from '../timeseries/issues.ts'
import { mailIssues } from '../notifications/issues.ts'
import { uplinkHostIssues } from '../../system-networking/uplink-hosts/issues.ts'
import { vpcNetworkIssues } from '../../networking/vpc-networks/issues.ts'
import { updateIssues } from '../../maintenance/updates/issues.ts'
import { reconciliationIssues } from './reconciliation.ts'

/** The finders of issues of all resources. */
export const issueFinders: readonly Finder[] = [
  receiverIssues,
  ruleIssues,
  bfdIssues,
  bgpIssues,
  vpcNetworkIssues,
  certificateIssues,
  healthIssues,
  replicationIssues,
  clockIssues,
  providerIssues,
  instanceIssues,
  pausedInstances,
  ipPoolIssues,
  jobIssues,
  scheduleIssues,
  disksInTrouble,
  lostReplicas,
  disksWaiting,
  unreachablePools,
  damagedVolumes,
  damagedTimeSeries,
  siloIssues,
  sledsInTrouble,
  sledsWaiting,
  overdueMaintenance,
  orphanedDomains,
  silentHosts,
  hostClocks,
  fencedHosts,
  untestedFencing,
  massFailures,
  dataDisk,
  hostDisks,
  mailIssues,
  subnetPoolIssues,
  switchPortIssues,
  uplinkHostIssues,
  timeseriesIssues,
  updateIssues,
  reconciliationIssues,
]
