import { inPath, issueRule } from '../../observability/issues/rules.ts'

/** Kinds that store bytes, with their names at the beginning of a sentence. */
const words = {
  disk: 'Disk',
  snapshot: 'Snapshot',
  image: 'Image',
  support_bundle: 'Support bundle',
  update_repository: 'Release',
  volume: 'Volume',
} as const
export type DamagedKind = keyof typeof words

interface Damaged {
  kind: DamagedKind
  /** The id of a resource without a name. */
  name: string
  project: string | null
  silo: string | null
  /** Whether it is in the caller's silo; operators do not see projects of other silos. */
  own: boolean
  /** Upper bound of the damaged bytes, in whole blocks. Null if not known yet. */
  bytes: number | null
}

const pages: Partial<Record<DamagedKind, (name: string) => string>> = {
  disk: (name) => `/disks/${name}`,
  snapshot: () => '/snapshots',
  image: () => '/images',
}

function page({ kind, name, project, silo, own }: Damaged): string {
  if (kind === 'support_bundle') return '/system/support-bundles'
  if (silo === null) return kind === 'volume' ? '/system/inventory' : '/system/update'
  if (!own) return `/system/silos/${inPath(silo)}`
  if (project === null) return '/images'
  return `/projects/${inPath(project)}${pages[kind]!(inPath(name))}`
}

function called({ kind, name, project, silo }: Omit<Damaged, 'bytes'>): string {
  const place = [project && ` of project ${project}`, silo && ` in silo ${silo}`]
  return `${words[kind]} ${name}${place.filter(Boolean).join('')}`
}

export const scrubIssues = {
  volume_damaged: issueRule<Damaged>({
    severity: 'critical',
    // Scrub findings emit no event.
    about: [],
    sentence: ({ bytes, ...thing }) => {
      const much = bytes === null ? 'damaged bytes' : `${bytes / 1024} KiB of damaged data`
      return `${called(thing)} has ${much} on the disk of the server`
    },
    ended: (thing) => `${called(thing)} no longer has damaged data`,
    subject: called,
    path: page,
  }),
  time_series_damaged: issueRule<{ file: string }>({
    severity: 'warning',
    about: [],
    sentence: ({ file }) => `File ${file} of the time series is damaged: its points are missing`,
    ended: ({ file }) => `File ${file} of the time series is no longer damaged`,
    path: () => '/system/metrics',
    next: 'See the metrics',
  }),
}
