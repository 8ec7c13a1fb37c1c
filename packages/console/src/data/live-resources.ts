import type { MethodName } from '@steading/api/client'

/**
 * Which reads a change to a resource puts out of date. The one table of live updates: a new
 * resource adds a line here.
 */
export const readsOf: Record<string, MethodName[]> = {
  projects: ['projectList', 'projectView'],
  instances: [
    'instanceList',
    'instanceView',
    'instanceDiskList',
    'instanceExternalIpList',
    'instanceNetworkInterfaceList',
    'utilizationView',
  ],
  disks: ['diskList', 'diskView', 'instanceDiskList', 'utilizationView'],
  'ssh-keys': ['currentUserSshKeyList', 'currentUserSshKeyView'],
  images: ['imageList', 'imageView'],
  snapshots: ['snapshotList', 'snapshotView'],
  vpcs: ['vpcList', 'vpcView'],
  subnets: ['vpcSubnetList', 'vpcSubnetView'],
  'network-interfaces': ['instanceNetworkInterfaceList', 'instanceNetworkInterfaceView'],
  'external-ips': ['instanceExternalIpList'],
  silos: ['siloList', 'siloView'],
  'ip-pools': ['ipPoolList', 'ipPoolView'],
  policies: ['policyView', 'projectPolicyView', 'systemPolicyView'],
  users: ['userList', 'userView'],
  groups: ['groupList', 'groupView', 'currentUserGroups'],
}
