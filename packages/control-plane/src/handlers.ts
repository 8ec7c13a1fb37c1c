import type { OperationId } from '@steading/api'
import { affinityHandlers } from './affinity/handlers.ts'
import { authHandlers } from './authn/handlers.ts'
import type { Handlers } from './context.ts'
import { deletionHandlers } from './deletion/handlers.ts'
import { contentsHandlers } from './disks/contents-handlers.ts'
import { diskHandlers } from './disks/handlers.ts'
import { importHandlers } from './disks/import-handlers.ts'
import { eventHandlers } from './events/handlers.ts'
import { floatingIpHandlers } from './floating-ips/handlers.ts'
import { groupHandlers } from './groups/handlers.ts'
import { imageHandlers } from './images/handlers.ts'
import { instanceHandlers } from './instances/handlers.ts'
import { ipPoolHandlers } from './ip-pools/handlers.ts'
import { jobHandlers } from './jobs/handlers.ts'
import { listHandlers } from './lists/handlers.ts'
import { networkInterfaceHandlers } from './network-interfaces/handlers.ts'
import { policyHandlers } from './policies/handlers.ts'
import { projectHandlers } from './projects/handlers.ts'
import { siloHandlers } from './silos/handlers.ts'
import { snapshotHandlers } from './snapshots/handlers.ts'
import { sshKeyHandlers } from './ssh-keys/handlers.ts'
import { subnetHandlers } from './subnets/handlers.ts'
import { systemHandlers } from './system/handlers.ts'
import { userHandlers } from './users/handlers.ts'
import { utilizationHandlers } from './utilization/handlers.ts'
import { vpcHandlers } from './vpcs/handlers.ts'

/** Every operation of the table; one that is missing does not compile. */
export const handlers: Handlers<OperationId> = {
  ...systemHandlers,
  ...authHandlers,
  ...userHandlers,
  ...groupHandlers,
  ...sshKeyHandlers,
  ...policyHandlers,
  ...projectHandlers,
  ...instanceHandlers,
  ...diskHandlers,
  ...importHandlers,
  ...contentsHandlers,
  ...imageHandlers,
  ...snapshotHandlers,
  ...vpcHandlers,
  ...subnetHandlers,
  ...networkInterfaceHandlers,
  ...floatingIpHandlers,
  ...affinityHandlers,
  ...ipPoolHandlers,
  ...siloHandlers,
  ...utilizationHandlers,
  ...eventHandlers,
  ...listHandlers,
  ...jobHandlers,
  ...deletionHandlers,
}
