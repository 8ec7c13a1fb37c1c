/** The forms that the palette finds from every page where their place is known. */
import type { ConsolePath } from '@steading/api/rules'
import { useParams } from '@tanstack/react-router'
import { pathTo } from '../data/addresses.ts'
import { type Needing, useAvailable } from '../data/capabilities.ts'
import { useCurrentUser, useFleetViewer } from '../data/session.ts'
import type { QuickAction } from '../ui/quick-actions.ts'

type Creation = Needing & {
  label: string
  path: ConsolePath
  /** The operation of the form; everybody may add keys of their own. */
  operation?: string
  /** The kinds that it certainly concerns there, as in `Calls`. */
  about?: readonly string[]
  /** What other products call it. */
  words?: readonly string[]
}

const inVpc = '/projects/$project/vpcs/$vpc'

/** Forms by the place that they create in. Labels are those of the buttons on the pages of lists. */
export const creations: Record<'VPC' | 'Project' | 'Silo' | 'User' | 'System', Creation[]> = {
  VPC: [
    {
      label: 'New firewall rule',
      path: `${inVpc}/firewall-rules-new`,
      operation: 'vpcFirewallRulesUpdate',
      words: ['security group rule', 'open port'],
    },
    { label: 'New VPC subnet', path: `${inVpc}/subnets-new`, operation: 'vpcSubnetCreate' },
    { label: 'New router', path: `${inVpc}/routers-new`, operation: 'vpcRouterCreate' },
    {
      label: 'New internet gateway',
      path: `${inVpc}/internet-gateways-new`,
      operation: 'internetGatewayCreate',
    },
  ],
  Project: [
    {
      label: 'New instance',
      path: '/projects/$project/instances-new',
      operation: 'instanceCreate',
      words: ['VM', 'virtual machine', 'server', 'EC2', 'launch'],
    },
    {
      label: 'New disk',
      path: '/projects/$project/disks-new',
      operation: 'diskCreate',
      words: ['volume', 'EBS'],
    },
    {
      label: 'New snapshot',
      path: '/projects/$project/snapshots-new',
      operation: 'snapshotCreate',
      words: ['backup'],
    },
    { label: 'Upload image', path: '/projects/$project/images-new', operation: 'diskCreate' },
    {
      label: 'New schedule',
      path: '/projects/$project/schedules-new',
      operation: 'scheduleCreate',
      needs: 'schedules',
      words: ['backup job'],
    },
    {
      label: 'New template',
      path: '/projects/$project/instance-templates-new',
      operation: 'instanceTemplateCreate',
      about: ['project'],
      needs: 'instanceTemplates',
    },
    {
      label: 'New affinity group',
      path: '/projects/$project/affinity-new',
      operation: 'antiAffinityGroupCreate',
      words: ['placement group'],
    },
    {
      label: 'New VPC',
      path: '/projects/$project/vpcs-new',
      operation: 'vpcCreate',
      words: ['network', 'bridge'],
    },
    {
      label: 'New floating IP',
      path: '/projects/$project/floating-ips-new',
      operation: 'floatingIpCreate',
      words: ['public address', 'elastic IP'],
    },
    {
      label: 'New external subnet',
      path: '/projects/$project/external-subnets-new',
      operation: 'externalSubnetCreate',
    },
    { label: 'New probe', path: '/projects/$project/probes-new', operation: 'probeCreate' },
    {
      label: 'New alert rule',
      path: '/projects/$project/alert-rules-new',
      operation: 'alertRuleCreate',
      needs: 'alertRules',
    },
  ],
  Silo: [
    {
      label: 'New project',
      path: '/projects-new',
      operation: 'projectCreate',
      words: ['account', 'resource group'],
    },
    {
      label: 'New silo template',
      path: '/instance-templates-new',
      operation: 'instanceTemplateCreate',
      about: ['silo_instance_template'],
      needs: 'instanceTemplates',
    },
    { label: 'Add certificate', path: '/certificates-new', operation: 'certificateCreate' },
  ],
  User: [{ label: 'Add SSH key', path: '/settings/ssh-keys-new', words: ['key pair'] }],
  System: [
    {
      label: 'New silo',
      path: '/system/silos-new',
      operation: 'siloCreate',
      words: ['tenant', 'organization'],
    },
    {
      label: 'New IP pool',
      path: '/system/networking/ip-pools-new',
      operation: 'systemIpPoolCreate',
    },
    {
      label: 'New subnet pool',
      path: '/system/networking/subnet-pools-new',
      operation: 'systemSubnetPoolCreate',
    },
    {
      label: 'New system alert rule',
      path: '/system/alert-rules-new',
      operation: 'systemAlertRuleCreate',
      needs: 'alertRules',
    },
    {
      label: 'New receiver',
      path: '/system/alert-receivers-new',
      operation: 'webhookReceiverCreate',
    },
    {
      label: 'Collect support bundle',
      path: '/system/support-bundles-new',
      operation: 'supportBundleCreate',
    },
    {
      label: 'Add host',
      path: '/system/inventory/hosts-new',
      operation: 'hostCreate',
      needs: 'hosts',
      part: 'enrolment',
    },
    {
      label: 'Add storage pool',
      path: '/system/inventory/storage-pools-new',
      operation: 'storagePoolCreate',
      needs: 'storagePools',
      part: 'storagePools',
    },
    {
      label: 'Upload release',
      path: '/system/update/releases-new',
      operation: 'systemUpdateRepositoryUpload',
      part: 'updates',
    },
  ],
}

const all = Object.entries(creations).flatMap(([group, forms]) =>
  forms.map((form) => ({ ...form, group })),
)

/** With which people ask for something new. */
const verbs = ['New', 'Create', 'Add']

const parametersOf = (path: string) => [...path.matchAll(/\$(\w+)/g)].map(([, name]) => name!)

/** The forms whose place the page knows: those of a VPC and a project only within them. */
export function useCreations(): (QuickAction & { also: string[] })[] {
  const { project, vpc } = useParams({ strict: false })
  const { siloName } = useCurrentUser()
  const isOperator = useFleetViewer()
  const known = { ...(project && { project }), ...(vpc && { vpc }) }
  return useAvailable(all)
    .filter(({ group }) => isOperator || group !== 'System')
    .filter(({ path }) => parametersOf(path).every((name) => name in known))
    .map(({ label, path, operation, about, group, words = [] }) => ({
      label,
      group,
      also: verbs.flatMap((verb) =>
        [label.replace(/^\w+ /, ''), ...words].map((noun) => `${verb} ${noun}`),
      ),
      path: pathTo(path, known),
      // The page of another silo is about that one.
      calls: operation && { operation, about, ...(group === 'Silo' && { silo: siloName }) },
    }))
}
