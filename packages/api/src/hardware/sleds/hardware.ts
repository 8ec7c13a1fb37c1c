/** Rack hardware as seen by operators, placement and engines (control plane 10.1). */

/** The slots of the switches of a rack. */
export const switchSlots = ['switch0', 'switch1'] as const
export type SwitchSlot = (typeof switchSlots)[number]

export const sledPolicyKinds = ['in_service', 'expunged'] as const
export type SledPolicyKind = (typeof sledPolicyKinds)[number]
export const provisionPolicies = ['provisionable', 'non_provisionable'] as const
export type ProvisionPolicy = (typeof provisionPolicies)[number]
export const sledStates = ['active', 'decommissioned'] as const
export type SledState = (typeof sledStates)[number]

/** Sled processors, oldest first: each one also runs instances that request an older one. */
export const cpuPlatforms = ['amd_milan', 'amd_turin', 'amd_turin_v2'] as const
export type CpuPlatform = (typeof cpuPlatforms)[number]

/** Processors that can run an instance requesting a platform; all of them if it requests none. */
export const platformsFor = (wanted: CpuPlatform | null): readonly CpuPlatform[] =>
  wanted === null ? cpuPlatforms : cpuPlatforms.slice(cpuPlatforms.indexOf(wanted))

export const physicalDiskKinds = ['m2', 'u2'] as const
export type PhysicalDiskKind = (typeof physicalDiskKinds)[number]

/** Replicas of each distributed disk, on different sleds if possible. */
export const REPLICAS = 3

export const hardwareMessages = {
  noMembership: 'No trust quorum configuration exists for this rack',
  changing: "a change of the rack's membership is in progress",
  notChanging: "no change of the rack's membership is in progress",
  expunged: 'the sled is expunged',
  noStorage: 'Not enough storage',
} as const

/** Name of a sled in messages, from its hardware identity. */
export const sledName = ({ part, serial }: { part: string; serial: string }): string =>
  `${serial} (${part})`

/** Name of a physical disk in messages, from its hardware identity. */
export const physicalDiskName = (disk: { vendor: string; model: string; serial: string }): string =>
  `${disk.vendor}:${disk.model}:${disk.serial}`
