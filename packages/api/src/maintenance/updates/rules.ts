/**
 * Releases of the system's software, and the update of the rack from one to another (control plane
 * 10.6).
 */
import { errors, type ErrorTemplate } from '../../rules/errors.ts'

/** Pattern of semantic versions. */
export const systemVersionPattern =
  '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$'
const form = new RegExp(systemVersionPattern)
/** Characters. */
const SYSTEM_VERSION_MAX = 255

export function systemVersionProblem(version: string): string | undefined {
  if (version.length > SYSTEM_VERSION_MAX) return 'the version is too long'
  return form.test(version) ? undefined : 'not a semantic version'
}

/** Numbers compare by value at any length, also within a prerelease. */
function compareParts(a: string, b: string): number {
  const [numeric, otherNumeric] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (numeric && otherNumeric) {
    return a.length === b.length ? Number(a > b) - Number(a < b) : a.length - b.length
  }
  if (numeric !== otherNumeric) return numeric ? -1 : 1
  return Number(a > b) - Number(a < b)
}

/**
 * Compares semantic versions: negative if the first is older. A prerelease comes before its
 * release; build metadata is ignored.
 */
export function compareSystemVersions(a: string, b: string): number {
  const [, ...one] = form.exec(a)!
  const [, ...other] = form.exec(b)!
  for (let part = 0; part < 3; part++) {
    const order = compareParts(one[part]!, other[part]!)
    if (order !== 0) return order
  }
  const [mine, theirs] = [one[3]?.split('.'), other[3]?.split('.')]
  if (!mine || !theirs) return Number(!mine) - Number(!theirs)
  for (let part = 0; part < Math.min(mine.length, theirs.length); part++) {
    const order = compareParts(mine[part]!, theirs[part]!)
    if (order !== 0) return order
  }
  return mine.length - theirs.length
}

/** Versions to prune once another version becomes the target. */
export const prunedVersions = (versions: readonly string[], target: string): string[] =>
  versions
    .filter((version) => compareSystemVersions(version, target) < 0)
    .toSorted((a, b) => compareSystemVersions(b, a))
    .slice(RELEASES_KEPT)

const majorOf = (version: string): bigint => BigInt(version.split('.')[0]!)

/** Software components of a sled in update order → artifact. */
export const sledComponents = {
  rot_bootloader: 'gimlet_rot_bootloader',
  rot: 'gimlet_rot',
  sp: 'gimlet_sp',
  host_os: 'host',
  control_plane: 'control_plane',
} as const
/** Software components of a switch → artifact. */
export const switchComponents = {
  rot_bootloader: 'switch_rot_bootloader',
  rot: 'switch_rot',
  sp: 'switch_sp',
} as const
export const componentKinds = ['rot_bootloader', 'rot', 'sp', 'host_os', 'control_plane'] as const
export type ComponentKind = (typeof componentKinds)[number]

export const componentLabels: Record<ComponentKind, string> = {
  rot_bootloader: 'RoT bootloader',
  rot: 'Root of trust',
  sp: 'Service processor',
  host_os: 'Host OS',
  control_plane: 'Control plane',
}

/** Artifacts that every release must contain. */
export const requiredArtifacts: readonly string[] = [
  ...Object.values(sledComponents),
  ...Object.values(switchComponents),
]

/** Release name in the status for software of no known release. */
export const UNKNOWN_RELEASE = 'unknown'
/** Release name in the status for control plane software from the factory or a recovery. */
export const INSTALL_DATASET = 'install dataset'

export const rolloutStates = ['none', 'in_progress', 'complete'] as const
export type RolloutState = (typeof rolloutStates)[number]
export const rolloutPartKinds = ['sled', 'switch'] as const
export type RolloutPartKind = (typeof rolloutPartKinds)[number]
export const rolloutPartStates = ['waiting', 'moving_instances', 'installing', 'updated'] as const
export type RolloutPartState = (typeof rolloutPartStates)[number]

/** Maximum size of a repository in bytes. */
export const UPDATE_REPOSITORY_MAX = 4 * 1024 ** 3
/**
 * Number of releases kept that are older than the target's predecessor. They cannot be installed
 * any more, because downgrades are impossible; newer ones are always kept.
 */
export const RELEASES_KEPT = 3
/** Milliseconds after which an upload without new parts is removed. */
export const UPDATE_UPLOAD_KEPT_MS = 24 * 60 * 60 * 1000
/** Milliseconds after which a single-call upload is removed if its server died. */
export const UPDATE_CALL_KEPT_MS = 60 * 60 * 1000
/** Concurrent uploads of a user, across all servers. */
export const UPDATE_UPLOADS_MAX = 4
/** Milliseconds without progress after which an update asks to contact support. */
export const UPDATE_SUPPORT_MS = 30 * 60 * 1000
/** Characters. */
const FILE_NAME_MAX = 255

export const repositoryFileNameProblem = (name: string): string | undefined => {
  if (name === '') return 'the file name is empty'
  if (name.length > FILE_NAME_MAX) return 'the file name is too long'
  // oxlint-disable-next-line no-control-regex
  return /[\u0000-\u001f\u007f/\\]/.test(name)
    ? 'the file name has a slash or a control character'
    : undefined
}

export const updateMessages = {
  otherHash: (version: string, uploaded: string, existing: string) =>
    `Uploaded repository with system version ${version} has SHA256 hash ${uploaded}, but existing repository has SHA256 hash ${existing}.`,
  missingArtifacts: (kinds: readonly string[]) =>
    `the repository has no artifact of kind ${kinds.join(', ')}`,
  badVersion: (version: string) =>
    `the system version of the repository, "${version}", is not a semantic version`,
  incomplete: (missing: number) => `${missing} bytes of the upload have not arrived`,
  pastEnd: 'data goes past the end of the upload',
  tooManyUploads: `a user can have ${UPDATE_UPLOADS_MAX} uploads of releases at once; finish or cancel one of them`,
  noRoom: (bytes: number) =>
    `the server has space for ${bytes} more bytes, besides the uploads in progress`,
  finishing: 'the upload is being finished',
  noRecovery: 'no evidence a mupdate has occurred - recovery not needed',
  noTarget: 'target release',
  pruned: (id: string) =>
    `cannot make TUF repo ${id} the target release: it has been pruned from the system`,
} as const

/** Refusal of a version as the next target; undefined if it is allowed. */
export function targetProblem(
  next: string,
  { current, updating, recovered }: { current?: string; updating: boolean; recovered: boolean },
): string | undefined {
  if (current !== undefined) {
    const order = compareSystemVersions(next, current)
    if (next === current || order === 0) {
      return `cannot update to target release ${next} (already targeting that version)`
    }
    if (order < 0) {
      return `cannot downgrade: requested target release version ${next} is older than current target release version ${current}`
    }
    if (majorOf(next) > majorOf(current) + 1n) {
      return `cannot skip from scheduled release ${current} to scheduled release ${next}`
    }
  }
  if (recovered) return 'a support-driven recovery (mupdate) has occurred and must be cleared first'
  return updating ? 'a previous update is still in progress' : undefined
}

export const targetRefusal = (
  ...args: Parameters<typeof targetProblem>
): ErrorTemplate | undefined => {
  const problem = targetProblem(...args)
  return problem === undefined ? undefined : errors.invalidRequest(problem)
}

/** Reasons for a stalled update. */
export const rolloutProblems = {
  silent: (sled: string) => `Sled ${sled} does not respond`,
  noPlace: (instance: string, sled: string, why: string) =>
    `Instance ${instance} cannot move away from sled ${sled}: ${why}`,
  recovered: (sled: string) => `Sled ${sled} was recovered by support`,
} as const
