import { counted, inPath, issueRule } from '../../observability/issues/rules.ts'

type Disk = { serial: string; sledId: string; sled: string }
const page = ({ sledId }: Disk) => `/system/inventory/sleds/${inPath(sledId)}/disks`

export const physicalDiskIssues = {
  physical_disk_failed: issueRule<Disk>({
    severity: 'critical',
    about: ['physical_disk'],
    sentence: ({ serial, sled }) => `Disk ${serial} of sled ${sled} has failed`,
    ended: ({ serial, sled }) => `Disk ${serial} of sled ${sled} no longer counts as failed`,
    path: page,
    next: 'Expunge it',
  }),
  physical_disk_expunged: issueRule<Disk>({
    severity: 'warning',
    about: ['physical_disk'],
    sentence: ({ serial, sled }) =>
      `Disk ${serial} of sled ${sled} is expunged, and not decommissioned yet`,
    ended: ({ serial, sled }) => `Disk ${serial} of sled ${sled} was decommissioned`,
    path: page,
    next: 'See its remaining contents',
  }),
  replicas_lost: issueRule<{ count: number }>({
    severity: 'critical',
    about: ['physical_disk'],
    sentence: ({ count }) =>
      `${counted(count, 'disk')} of projects ${count === 1 ? 'has' : 'have'} too few replicas, and no disk in service has room for another`,
    ended: () => 'The disks of projects have enough replicas again, or room for them',
    path: () => '/system/inventory/disks',
    next: 'Add or restore disks',
  }),
  physical_disks_waiting: issueRule<{ count: number }>({
    severity: 'warning',
    about: ['rack', 'physical_disk'],
    sentence: ({ count }) =>
      `${counted(count, 'disk')} ${count === 1 ? 'is' : 'are'} waiting to be adopted`,
    ended: () => 'No disk is waiting to be adopted any more',
    path: () => '/system/inventory/waiting',
    next: 'Adopt',
  }),
}
