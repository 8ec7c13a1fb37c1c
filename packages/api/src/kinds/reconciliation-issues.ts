import { inPath, issueRule } from '../observability/issues/rules.ts'

/** Reconciled kinds, each with the console page of a resource by name. */
const pages = {
  instance: (name: string) => `/instances/${name}/storage`,
  instance_network: (id: string) => `/instances/${id}/networking`,
  disk: (name: string) => `/disks/${name}`,
  snapshot: () => '/snapshots',
  job: (name: string) => `/jobs?job=${name}`,
  multicast_group: (name: string) => `/multicast-groups/${name}`,
  alert_receiver: (name: string) => `/system/alert-receivers/${name}`,
  rack: () => '/system/inventory/racks',
  system_update: () => '/system/update',
  support_bundle: () => '/system/support-bundles',
}
export type ReconciledKind = keyof typeof pages

const words: Record<ReconciledKind, string> = {
  instance: 'Instance',
  instance_network: 'Network of instance',
  disk: 'Disk',
  snapshot: 'Snapshot',
  job: 'Job',
  multicast_group: 'Multicast group',
  alert_receiver: 'Alert receiver',
  rack: 'Rack',
  system_update: 'System update',
  support_bundle: 'Support bundle',
}

interface FailingResource {
  kind: ReconciledKind
  /** The id of a resource without a name. */
  name: string
  /** Null for a resource outside projects. */
  project: string | null
  /** Null for a resource outside silos. */
  silo: string | null
  /** Whether the caller may see the page of the resource, and not only that of its silo. */
  own: boolean
}

function page({ kind, name, project, silo, own }: FailingResource): string {
  if (!own && silo !== null) return `/system/silos/${inPath(silo)}`
  const inProject = project === null ? '' : `/projects/${inPath(project)}`
  return `${inProject}${pages[kind](inPath(name))}`
}

function called({ kind, name, project, silo }: FailingResource): string {
  const place = [project && ` of project ${project}`, silo && ` in silo ${silo}`]
  return `${words[kind]} ${name}${place.filter(Boolean).join('')}`
}

export const reconciliationIssues = {
  steps_failing: issueRule<FailingResource & { failures: number; problem: string }>({
    severity: 'warning',
    // A failed step emits no event.
    about: [],
    sentence: ({ failures, problem, ...thing }) =>
      `${called(thing)} cannot be brought to its wanted state: ${failures} attempts in a row have failed, the last one with “${problem}”`,
    path: page,
  }),
}
