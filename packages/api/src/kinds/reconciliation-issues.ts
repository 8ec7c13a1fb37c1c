import { inPath, issueRule } from '../observability/issues/rules.ts'

/** Reconciled kinds, each with the console page of a resource by name. */
const pages = {
  instance: (name: string) => `/instances/${name}/storage`,
  instance_network: (id: string) => `/instances/${id}/networking`,
  vpc_network: (name: string) => `/vpcs/${name}/firewall-rules`,
  instance_clone: (name: string) => `/instances/${name}/storage`,
  disk: (name: string) => `/disks/${name}`,
  snapshot: () => '/snapshots',
  image_download: () => '/images',
  schedule: (name: string) => `/schedules/${name}`,
  deleted_resource: () => '/deleted',
  job: (name: string) => `/jobs?job=${name}`,
  multicast_group: (name: string) => `/multicast-groups/${name}`,
  alert_receiver: (name: string) => `/system/alert-receivers/${name}`,
  notification_subscription: () => '/notifications',
  user_link: () => '/users',
  password_request: () => '/users',
  rack: () => '/system/inventory/racks',
  host: () => '/system/inventory/hosts',
  storage_pool: () => '/system/inventory/storage-pools',
  host_fencing: (id: string) => `/system/inventory/hosts/${id}`,
  sled_maintenance: (id: string) => `/system/inventory/sleds/${id}/instances`,
  system_update: () => '/system/update',
  support_bundle: () => '/system/support-bundles',
  uplink_host: () => '/system/networking/switch-ports',
}
export type ReconciledKind = keyof typeof pages

const words: Record<ReconciledKind, string> = {
  instance: 'Instance',
  instance_network: 'Network of instance',
  vpc_network: 'Network of VPC',
  instance_clone: 'Clone',
  disk: 'Disk',
  snapshot: 'Snapshot',
  image_download: 'Image download',
  schedule: 'Schedule',
  deleted_resource: 'Deleted resource',
  job: 'Job',
  multicast_group: 'Multicast group',
  alert_receiver: 'Alert receiver',
  notification_subscription: 'Notification subscription',
  user_link: 'Link of a user',
  password_request: 'Forgotten password',
  rack: 'Rack',
  host: 'Host',
  storage_pool: 'Storage pool',
  host_fencing: 'Fencing of host',
  sled_maintenance: 'Maintenance of sled',
  system_update: 'System update',
  support_bundle: 'Support bundle',
  uplink_host: 'Uplink host',
}

interface ReconciledResource {
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

function page({ kind, name, project, silo, own }: ReconciledResource): string {
  const outside = kind === 'notification_subscription' ? '/settings' : ''
  if (!own && silo !== null) return `/system/silos/${inPath(silo)}`
  const inProject = project === null ? outside : `/projects/${inPath(project)}`
  return `${inProject}${pages[kind](inPath(name))}`
}

function called({ kind, name, project, silo }: ReconciledResource): string {
  const place = [project && ` of project ${project}`, silo && ` in silo ${silo}`]
  return `${words[kind]} ${name}${place.filter(Boolean).join('')}`
}

/** Within a sentence. */
const lowered = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

export const reconciliationIssues = {
  steps_failing: issueRule<ReconciledResource & { failures: number; problem: string }>({
    severity: 'warning',
    // A failed step emits no event.
    about: [],
    sentence: ({ failures, problem, ...thing }) =>
      `${called(thing)} cannot be brought to its desired state: ${failures} attempts in a row have failed, the last one with “${problem}”`,
    ended: (thing) => `${called(thing)} is being brought to its desired state again`,
    subject: called,
    path: page,
  }),
  step_stuck: issueRule<ReconciledResource & { server: string }>({
    severity: 'warning',
    // A step that does not end emits no event.
    about: [],
    sentence: ({ server, ...thing }) =>
      `${called(thing)} has a step that does not end, and nothing else changes it meanwhile. If what it waits for does not come back, restart the server on ${server}: steps can be repeated`,
    ended: (thing) => `The step of ${lowered(called(thing))} has ended`,
    subject: called,
    path: page,
  }),
}
