import type { FleetRole, SecondFactorKind, SiloRole } from '@steading/api/rules'

/** Users of the demo's cloud. Ages in days. */
export interface Person {
  username: string
  name: string
  daysAgo: number
  groups?: string[]
  silo?: SiloRole
  fleet?: FleetRole
  /** Second factors. Visitors cannot switch to a user who has one. */
  factors?: SecondFactorKind[]
  /** Role that visitors take on by switching to this user. */
  visitAs?: string
}

/** The password of all users. */
export const PASSWORD = 'steading'

/** The first user is the administrator created with the cloud, who keeps that user name. */
export const people: [Person, ...Person[]] = [
  {
    username: 'admin',
    name: 'Marta Lindqvist',
    daysAgo: 214,
    groups: ['platform'],
    visitAs: 'Operator',
  },
  {
    username: 'daniel-okafor',
    name: 'Daniel Okafor',
    daysAgo: 213,
    groups: ['platform'],
    fleet: 'viewer',
    factors: ['passkey'],
  },
  {
    username: 'priya-raman',
    name: 'Priya Raman',
    daysAgo: 180,
    groups: ['data'],
    silo: 'admin',
    visitAs: 'Silo admin',
  },
  {
    username: 'jonas-weber',
    name: 'Jonas Weber',
    daysAgo: 176,
    groups: ['web'],
    visitAs: 'Collaborator in storefront',
  },
  {
    username: 'sofia-marchetti',
    name: 'Sofia Marchetti',
    daysAgo: 141,
    groups: ['web'],
    factors: ['totp'],
  },
  {
    username: 'kenji-watanabe',
    name: 'Kenji Watanabe',
    daysAgo: 96,
    groups: ['data', 'platform'],
    factors: ['totp', 'passkey'],
  },
  {
    username: 'aisha-rahman',
    name: 'Aisha Rahman',
    daysAgo: 58,
    silo: 'viewer',
    visitAs: 'Viewer of all projects',
  },
  { username: 'lucas-moreau', name: 'Lucas Moreau', daysAgo: 9 },
]

export const groups: { name: string; daysAgo: number; silo: SiloRole }[] = [
  { name: 'platform', daysAgo: 213, silo: 'collaborator' },
  { name: 'web', daysAgo: 198, silo: 'viewer' },
  { name: 'data', daysAgo: 180, silo: 'viewer' },
]

export const sshKeys = [
  {
    name: 'marta-laptop',
    description: 'Work laptop',
    daysAgo: 214,
    public_key:
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHq7r0yQ1Zg3uJ5bN0xw8TtYkS2cVdPz4mLe6RfXoA9K marta@laptop',
  },
  {
    name: 'marta-security-key',
    description: 'Hardware key for the on-call rotation',
    daysAgo: 88,
    public_key:
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFv3nWj8KcTz0pYhQ6aLrS1dXeUoB7GmN4iRf5ZkC2Ht marta@oncall',
  },
]
