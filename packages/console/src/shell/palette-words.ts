/** Words by which the palette finds pages, besides their names: those of other products, and of tasks. */
import type { ConsolePath } from '@steading/api/rules'

const project = '/projects/$project'

const wordsOfPages: Partial<Record<ConsolePath, readonly string[]>> = {
  [`${project}/instances`]: ['VMs', 'virtual machines', 'servers', 'EC2'],
  [`${project}/disks`]: ['volumes', 'EBS', 'storage'],
  [`${project}/snapshots`]: ['backups', 'roll back'],
  [`${project}/images`]: ['ISO', 'AMI'],
  [`${project}/schedules`]: ['backups', 'cron'],
  [`${project}/affinity`]: ['placement groups'],
  [`${project}/vpcs`]: ['firewall', 'security groups', 'open port', 'networks', 'bridges'],
  [`${project}/floating-ips`]: ['public addresses', 'elastic IPs'],
  [`${project}/network-map`]: ['topology'],
  [`${project}/reachability`]: [
    'why does nothing arrive',
    'cannot connect',
    'connection refused',
    'trace a packet',
    'ping',
  ],
  [`${project}/metrics`]: ['charts', 'graphs', 'monitoring', 'CPU', 'traffic'],
  [`${project}/dashboards`]: ['charts', 'graphs', 'monitoring'],
  [`${project}/alert-rules`]: ['alarms', 'monitoring'],
  [`${project}/notifications`]: ['mail', 'webhooks'],
  [`${project}/deleted`]: ['undo', 'restore', 'trash', 'recycle bin'],
  [`${project}/access`]: ['permissions', 'members', 'roles', 'IAM'],
  '/access': ['permissions', 'roles', 'IAM'],
  '/users': ['people', 'members', 'accounts'],
  '/usage': ['cost', 'billing', 'prices'],
  '/settings/profile': ['password', 'theme', 'preferences'],
  '/system/overview': ['rack'],
  '/system/silos': ['tenants', 'organizations'],
  '/system/inventory': ['nodes', 'hosts', 'servers', 'hardware', 'maintenance'],
  '/system/networking/ip-pools': ['public addresses'],
  '/system/alert-rules': ['alarms', 'monitoring'],
  '/system/metrics': ['charts', 'graphs', 'monitoring'],
  '/system/dashboards': ['charts', 'graphs', 'monitoring'],
  '/system/utilization': ['capacity'],
  '/system/update': ['upgrade', 'version', 'releases'],
  '/system/usage': ['cost', 'billing', 'prices'],
}

const patterns = Object.entries(wordsOfPages).map(([path, words]) => ({
  words,
  page: new RegExp(`^${path.replaceAll(/\$\w+/g, '[^/]+')}$`),
}))

/** Other words for the page at a path; those of its parameters do not matter. */
export const wordsOfPage = (path: string | undefined): readonly string[] =>
  (path && patterns.find(({ page }) => page.test(path))?.words) || []
