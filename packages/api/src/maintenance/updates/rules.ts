/** Releases of the system's software, and how the rack is brought from one to the next (control plane 10.6). */
import { errors, type ErrorTemplate } from '../../rules/errors.ts'

/** Of semantic versions. */
export const systemVersionPattern =
  '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$'
const form = new RegExp(systemVersionPattern)
/** Characters. */
const SYSTEM_VERSION_MAX = 255

export function systemVersionProblem(version: string): string | undefined {
  if (version.length > SYSTEM_VERSION_MAX) return 'the version is too long'
  return form.test(version) ? undefined : 'not a semantic version'
}

/** Numbers of a version are compared as such, however long they are; so are those of a prerelease. */
function compareParts(a: string, b: string): number {
  const [numeric, otherNumeric] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (numeric && otherNumeric) {
    return a.length === b.length ? Number(a > b) - Number(a < b) : a.length - b.length
  }
  if (numeric !== otherNumeric) return numeric ? -1 : 1
  return Number(a > b) - Number(a < b)
}

/**
 * Compares semantic versions: negative if the first is older. A prerelease comes before its release;
 * build metadata says nothing.
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

/** The versions that are pruned once another version is the target. */
export const prunedVersions = (versions: readonly string[], target: string): string[] =>
  versions
    .filter((version) => compareSystemVersions(version, target) < 0)
    .toSorted((a, b) => compareSystemVersions(b, a))
    .slice(RELEASES_KEPT)

const majorOf = (version: string): bigint => BigInt(version.split('.')[0]!)

/** What the software of a sled consists of, in the order in which it is updated → its artifact. */
export const sledComponents = {
  rot_bootloader: 'gimlet_rot_bootloader',
  rot: 'gimlet_rot',
  sp: 'gimlet_sp',
  host_os: 'host',
  control_plane: 'control_plane',
} as const
/** The same of a switch. */
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

/** The artifacts without which a release cannot be installed. */
export const requiredArtifacts: readonly string[] = [
  ...Object.values(sledComponents),
  ...Object.values(switchComponents),
]

/** What the status calls software of which no release is known. */
export const UNKNOWN_RELEASE = 'unknown'
/** What the status calls the control plane's software that came with the hardware or a recovery. */
export const INSTALL_DATASET = 'install dataset'

export const rolloutStates = ['none', 'in_progress', 'complete'] as const
export type RolloutState = (typeof rolloutStates)[number]
export const rolloutPartKinds = ['sled', 'switch'] as const
export type RolloutPartKind = (typeof rolloutPartKinds)[number]
export const rolloutPartStates = ['waiting', 'moving_instances', 'installing', 'updated'] as const
export type RolloutPartState = (typeof rolloutPartStates)[number]

/** Bytes of a repository. */
export const UPDATE_REPOSITORY_MAX = 4 * 1024 ** 3
/**
 * How many releases that are older than the target are kept besides the one before it. They cannot
 * be installed any more, because there is no way back; newer ones are always kept.
 */
export const RELEASES_KEPT = 3
/** Milliseconds after which an upload of which no piece has come is removed. */
export const UPDATE_UPLOAD_KEPT_MS = 24 * 60 * 60 * 1000
/** Milliseconds after which an upload in a single call is removed, if its server has died meanwhile. */
export const UPDATE_CALL_KEPT_MS = 60 * 60 * 1000
/** Uploads that a user can have at once, at all servers. */
export const UPDATE_UPLOADS_MAX = 4
/** Milliseconds for which an update must be stuck before support is asked for. */
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
  tooManyUploads: `a user can have ${UPDATE_UPLOADS_MAX} uploads of releases at once; finish one of them or give it up`,
  noRoom: (bytes: number) =>
    `the server has room for ${bytes} more bytes, beside the uploads that have begun`,
  finishing: 'the upload is being finished',
  noRecovery: 'no evidence a mupdate has occurred - recovery not needed',
  noTarget: 'target release',
  pruned: (id: string) =>
    `cannot make TUF repo ${id} the target release: it has been pruned from the system`,
} as const

/** What refuses a version as the next target; undefined if it may be. */
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

/** Why an update does not go on. */
export const rolloutProblems = {
  silent: (sled: string) => `Sled ${sled} does not respond`,
  noPlace: (instance: string, sled: string, why: string) =>
    `Instance ${instance} cannot move away from sled ${sled}: ${why}`,
  recovered: (sled: string) => `Sled ${sled} was recovered by support`,
} as const
