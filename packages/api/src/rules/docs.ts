/** Links from the console to pages of the documentation. */
import { DOCS_PATH } from './console-paths.ts'

/** Info topic of a console page → documentation page. */
const topics: Readonly<Record<string, string>> = {
  access: 'access',
  'access tokens': 'access#access-tokens',
  'command line': 'code#the-command-line-tool',
  'service accounts': 'access#service-accounts',
  'address lots': 'external-connectivity#address-lots',
  affinity: 'affinity',
  'alert rules': 'alerts#alert-rules',
  alerts: 'alerts',
  certificates: 'silos#certificates',
  dashboards: 'dashboards',
  disks: 'storage#disks',
  'external connectivity': 'external-connectivity',
  'external subnets': 'external-addresses#external-subnets',
  'floating IPs': 'external-addresses#floating-ips',
  'image catalog': 'storage#well-known-images',
  health: 'running#health',
  images: 'storage#images',
  hosts: 'hardware#adding-a-host',
  'storage pools': 'hardware#storage-pools',
  instances: 'instances',
  'internet gateways': 'networking#internet-gateways',
  inventory: 'hardware',
  issues: 'issues',
  'IP pools': 'pools#ip-pools',
  metrics: 'metrics-explorer',
  'multicast groups': 'multicast',
  notifications: 'notifications',
  networks: 'networking#network-map-and-topology',
  overviews: 'overview',
  'port settings': 'external-connectivity#port-settings',
  probes: 'external-addresses#probes',
  projects: 'projects',
  receivers: 'alerts#receivers',
  reachability: 'networking#reachability',
  routers: 'networking#routers',
  schedules: 'schedules',
  templates: 'templates',
  'restoring deleted resources': 'deleting#restoring',
  SCIM: 'scim',
  sessions: 'access#sessions',
  'sign-in security': 'access#second-factors',
  silos: 'silos',
  snapshots: 'storage#snapshots',
  'SSH keys': 'getting-started#add-your-ssh-key',
  'subnet pools': 'pools#subnet-pools',
  'users and groups': 'access#users-and-groups',
  'support bundles': 'support-bundles',
  'switch ports': 'external-connectivity#switch-ports',
  'system update': 'updates',
  usage: 'usage',
  utilization: 'utilization',
  versions: 'versions',
  VPCs: 'networking',
}

/** Error status → documentation page with help. */
const statuses: Readonly<Record<number, string>> = {
  403: 'access#if-something-is-forbidden',
  500: 'troubleshooting#errors',
  503: 'troubleshooting#the-database-cannot-be-reached',
  507: 'troubleshooting#the-disk-of-the-server-is-full',
}

/** Direct links from places of the console. */
export const docsPages = {
  firewallRules: 'networking#firewall-rules',
  largerDisk: 'add-a-second-disk#a-larger-disk',
  rollBack: 'storage#rolling-back',
  imageFiles: 'storage#uploading-an-image',
  realMachines: 'running#real-machines',
  userData: 'instances#user-data',
} as const

/** URL of the description of a time series, `target:metric`. */
export const timeseriesDocs = (name: string): string =>
  `timeseries-schemas#_${name.replace(':', '')}`

/** URL of a documentation page, optionally with an anchor. */
export function docsUrl(page: string): string {
  const [file, anchor] = page.split('#')
  return `${DOCS_PATH}/${file}.html${anchor ? `#${anchor}` : ''}`
}

/** Page about a topic; undefined if there is none. */
export const docsOfTopic = (topic: string): string | undefined => topics[topic]

/** Page with help for an error; undefined if there is none. */
export const docsOfStatus = (status: number): string | undefined => statuses[status]

/** All linked pages, with their anchors. */
export const linkedDocs: readonly string[] = [
  ...Object.values(topics),
  ...Object.values(statuses),
  ...Object.values(docsPages),
]
