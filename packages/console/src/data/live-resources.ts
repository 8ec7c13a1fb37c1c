import type { MethodName } from '@steading/api/client'

/**
 * Which reads a change to a resource puts out of date. The one table of live updates: a new
 * resource adds a line here. A list stands for its searches as well.
 */
export const readsOf: Record<string, MethodName[]> = {
  projects: ['projectList', 'projectView', 'projectDeletion'],
  instances: [
    'instanceList',
    'instanceView',
    'instanceDiskList',
    'instanceExternalIpList',
    'instanceNetworkInterfaceList',
    'instanceAntiAffinityGroupList',
    'instanceAffinityGroupList',
    'instanceDeletion',
    'diskDeletion',
    'projectDeletion',
    'utilizationView',
  ],
  disks: [
    'diskList',
    'diskView',
    'instanceDiskList',
    'instanceDeletion',
    'diskDeletion',
    'projectDeletion',
    'utilizationView',
  ],
  'ssh-keys': ['currentUserSshKeyList', 'currentUserSshKeyView'],
  images: ['imageList', 'imageView', 'imageDeletion', 'projectDeletion'],
  snapshots: [
    'snapshotList',
    'snapshotView',
    'snapshotDeletion',
    'diskDeletion',
    'projectDeletion',
    'utilizationView',
  ],
  vpcs: ['vpcList', 'vpcView'],
  subnets: ['vpcSubnetList', 'vpcSubnetView'],
  'network-interfaces': ['instanceNetworkInterfaceList', 'instanceNetworkInterfaceView'],
  // The instance an address comes to or leaves is told as well, and by its name.
  'external-ips': [],
  'floating-ips': ['floatingIpList', 'floatingIpView'],
  'affinity-groups': [
    'affinityGroupList',
    'affinityGroupView',
    'affinityGroupMemberList',
    'instanceAffinityGroupList',
  ],
  'anti-affinity-groups': [
    'antiAffinityGroupList',
    'antiAffinityGroupView',
    'antiAffinityGroupMemberList',
    'instanceAntiAffinityGroupList',
  ],
  silos: ['siloList', 'siloView'],
  'ip-pools': ['ipPoolList', 'ipPoolView'],
  jobs: ['jobList', 'jobView', 'jobItemList'],
  policies: ['policyView', 'projectPolicyView', 'systemPolicyView'],
  users: ['userList', 'userView'],
  groups: ['groupList', 'groupView', 'currentUserGroups'],
}

/**
 * The argument that names a resource. A read that names another one than the changed is left alone:
 * in a list of fifty instances, one that starts must not have the addresses of all read again.
 */
export const argumentOf: Record<string, string> = {
  projects: 'project',
  instances: 'instance',
  disks: 'disk',
  images: 'image',
  snapshots: 'snapshot',
  'floating-ips': 'floatingIp',
  jobs: 'job',
  'affinity-groups': 'affinityGroup',
  'anti-affinity-groups': 'antiAffinityGroup',
}
