import type { OperationId } from '@steading/api'
import { affinityHandlers } from '../resources/affinity/handlers.ts'
import { authHandlers } from '../resources/auth/handlers.ts'
import type { Handlers } from '../kernel/context.ts'
import { deletionHandlers } from '../resources/deletion/handlers.ts'
import { contentsHandlers } from '../resources/disks/contents-handlers.ts'
import { diskHandlers } from '../resources/disks/handlers.ts'
import { importHandlers } from '../resources/disks/import-handlers.ts'
import { eventHandlers } from './event-stream.ts'
import { floatingIpHandlers } from '../resources/floating-ips/handlers.ts'
import { groupHandlers } from '../resources/groups/handlers.ts'
import { imageHandlers } from '../resources/images/handlers.ts'
import { instanceHandlers } from '../resources/instances/handlers.ts'
import { ipPoolHandlers } from '../resources/ip-pools/handlers.ts'
import { jobHandlers } from '../resources/jobs/handlers.ts'
import { listHandlers } from '../resources/lists/handlers.ts'
import { networkInterfaceHandlers } from '../resources/network-interfaces/handlers.ts'
import { policyHandlers } from '../resources/policies/handlers.ts'
import { projectHandlers } from '../resources/projects/handlers.ts'
import { siloHandlers } from '../resources/silos/handlers.ts'
import { snapshotHandlers } from '../resources/snapshots/handlers.ts'
import { sshKeyHandlers } from '../resources/ssh-keys/handlers.ts'
import { subnetHandlers } from '../resources/subnets/handlers.ts'
import { systemHandlers } from '../resources/system/handlers.ts'
import { userHandlers } from '../resources/users/handlers.ts'
import { utilizationHandlers } from '../resources/utilization/handlers.ts'
import { vpcHandlers } from '../resources/vpcs/handlers.ts'

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
