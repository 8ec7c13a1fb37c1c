/** Which page of the documentation helps with what. */
import { DOCS_PATH } from './console-paths.ts'

/** Topic of the information about a page of the console → page of the documentation. */
const topics: Readonly<Record<string, string>> = {
  access: 'access',
  'access tokens': 'access#access-tokens',
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
  images: 'storage#images',
  instances: 'instances',
  'internet gateways': 'networking#internet-gateways',
  inventory: 'hardware',
  issues: 'issues',
  'IP pools': 'pools#ip-pools',
  metrics: 'metrics-explorer',
  'multicast groups': 'multicast',
  networks: 'networking#network-map-and-topology',
  'port settings': 'external-connectivity#port-settings',
  probes: 'external-addresses#probes',
  projects: 'projects',
  receivers: 'alerts#receivers',
  reachability: 'networking#reachability',
  routers: 'networking#routers',
  SCIM: 'scim',
  sessions: 'access#sessions',
  silos: 'silos',
  snapshots: 'storage#snapshots',
  'SSH keys': 'getting-started#add-your-ssh-key',
  'subnet pools': 'pools#subnet-pools',
  'users and groups': 'access#users-and-groups',
  'support bundles': 'support-bundles',
  'switch ports': 'external-connectivity#switch-ports',
  'system update': 'updates',
  utilization: 'utilization',
  VPCs: 'networking',
}

/** Status of an error → page that says what helps. */
const statuses: Readonly<Record<number, string>> = {
  403: 'access#if-something-is-forbidden',
  500: 'troubleshooting#errors',
  503: 'troubleshooting#the-database-cannot-be-reached',
  507: 'troubleshooting#the-disk-of-the-server-is-full',
}

/** Places of the console that lead to a page by themselves. */
export const docsPages = {
  firewallRules: 'networking#firewall-rules',
  imageFiles: 'storage#uploading-an-image',
} as const

/** The description of a time series, `target:metric`. */
export const timeseriesDocs = (name: string): string =>
  `timeseries-schemas#_${name.replace(':', '')}`

/** The address of a page of the documentation, which may have an anchor. */
export function docsUrl(page: string): string {
  const [file, anchor] = page.split('#')
  return `${DOCS_PATH}/${file}.html${anchor ? `#${anchor}` : ''}`
}

/** The page about a topic; undefined if there is none. */
export const docsOfTopic = (topic: string): string | undefined => topics[topic]

/** The page that helps with an error; undefined if none does. */
export const docsOfStatus = (status: number): string | undefined => statuses[status]

/** Every page, with its anchor, that something leads to. */
export const linkedDocs: readonly string[] = [
  ...Object.values(topics),
  ...Object.values(statuses),
  ...Object.values(docsPages),
]
